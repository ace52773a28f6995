#!/usr/bin/env node
// Exit code 1 means "reject". Node also exits with 1 after an uncaught error. So every such error, such as a
// missing part of the package, exits with 2 here: undecided.

const kUndecided = 2;
const printable = (text) =>
  text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

function fail(error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`ggufgate: internal error, no verdict: ${printable(why)}\n`, () => process.exit(kUndecided));
}

process.exitCode = kUndecided;
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.stderr.on('error', () => process.exit(kUndecided));
try {
  const { main } = await import('../src/command/main.js');
  process.exitCode = await main(process.argv.slice(2), process);
} catch (error) {
  fail(error);
}
