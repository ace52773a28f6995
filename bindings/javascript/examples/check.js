// Checks files: node check.js FILE…

import { Gate, fromPath } from 'ggufgate';

const gate = await Gate.load();
for (const path of process.argv.slice(2)) {
  const source = await fromPath(path);
  const report = await gate.check(source, { profile: 'llama.cpp', onProgress: () => {} });
  await source.close();
  console.log(report.verdict, report.path);
  for (const { offset, rule, message } of report.findings) {
    console.log(`  0x${offset.toString(16)} ${rule}: ${message}`);
  }
  // Load a file only after accept.
  if (report.verdict !== 'accept') process.exitCode = 1;
}
