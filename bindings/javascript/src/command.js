// `npx ggufgate`: what `ggufgate check FILE…` prints, with the same exit codes.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Gate, fromPath, profiles } from './node.js';

const kAccept = 0;
const kReject = 1;
const kUndecided = 2;

const kUsage = `usage: ggufgate [check] [OPTIONS] FILE…

Judges GGUF files. Exit code 0: every file is sound; 1: a file breaks a rule, do not load it; 2: a file
could not be judged, or the command was wrong: do not load it either.

  --profile NAME      ${profiles.join(' | ')} (default: gate)
  --data WHAT         none | scales | full: how much of the tensor data is judged (default: none)
  --fail-on SEVERITY  error | warning | note (default: error)
  -f, --format NAME   text | json | jsonl (default: text)
  --color WHEN        auto | always | never (default: auto)
  -q, --quiet         nothing about files that are sound
  -v, --verbose       notes, too
  --version           print the version
  -h, --help          print this

Folders, standard input, policies, and sets of shards are the compiled program's: they are not judged here.
`;

const kOptions = {
  profile: { type: 'string' },
  data: { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string', short: 'f', default: 'text' },
  color: { type: 'string', default: 'auto' },
  quiet: { type: 'boolean', short: 'q', default: false },
  verbose: { type: 'boolean', short: 'v', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};
const kWords = {
  profile: profiles,
  data: ['none', 'scales', 'full'],
  'fail-on': ['error', 'warning', 'note'],
  format: ['text', 'json', 'jsonl'],
  color: ['auto', 'always', 'never'],
};

// A file may be named so that it passes for an option, and then for what the terminal is told to do.
const printable = (text) => text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

/** The wishes on a command line; throws where it is wrong. */
function wishesOf(args) {
  const { values, positionals } = parseArgs({ args, options: kOptions, allowPositionals: true });
  for (const [name, words] of Object.entries(kWords)) {
    if (values[name] !== undefined && !words.includes(values[name])) {
      throw new Error(`--${name} is one of ${words.join(', ')}`);
    }
  }
  return { ...values, paths: positionals[0] === 'check' ? positionals.slice(1) : positionals };
}

// SOURCE_DATE_EPOCH (reproducible-builds.org) is the time where it is set, so that two runs can write the
// same report.
function timeOf(environment) {
  const set = environment.SOURCE_DATE_EPOCH;
  const seconds = /^\d{1,10}$/.test(set ?? '') ? Number(set) : Math.floor(Date.now() / 1000);
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

// "ENOENT: no such file or directory, open 'x'" as the C library says it.
function reasonOf(error) {
  const words = /^[A-Z0-9]+: (.*?)(?:, \w+.*)?$/s.exec(error.message)?.[1];
  return words ? `cannot open: ${words[0].toUpperCase()}${words.slice(1)}` : error.message;
}

/** A source of nothing: what could not be opened has a report as well. */
function unreadable(path, error) {
  return {
    name: path,
    size: 0,
    read: () => new Uint8Array(),
    unchanged: () => {
      throw new Error(reasonOf(error));
    },
  };
}

/** Judges one path, and closes it. */
async function judge(gate, path, options) {
  let source;
  try {
    source = await fromPath(path);
  } catch (error) {
    return gate.check(unreadable(path, error), options);
  }
  try {
    return await gate.check(source, options);
  } finally {
    await source.close();
  }
}

/** Writes reports as the command does, one after the other. */
class Printer {
  #wishes;
  #out;
  #count = 0;
  #style;

  constructor(wishes, { stdout, env }) {
    this.#wishes = wishes;
    this.#out = stdout;
    const colour = wishes.color === 'always' || (wishes.color === 'auto' && stdout.isTTY && !env.NO_COLOR);
    this.#style = {
      colour: Boolean(colour),
      quiet: wishes.quiet,
      verbose: wishes.verbose,
      columns: stdout.isTTY ? (stdout.columns ?? 0) : 0,
    };
    this.time = timeOf(env);
  }

  add(report) {
    const first = this.#count++ === 0;
    switch (this.#wishes.format) {
      case 'json':
        if (first) this.#out.write(report.jsonHead({ time: this.time, policySha256: sha256(report.policy()) }));
        this.#out.write((first ? '\n' : ',\n') + report.json());
        break;
      case 'jsonl':
        this.#out.write(`${report.json()}\n`);
        break;
      default:
        this.#out.write(report.text(this.#style));
    }
  }

  finish() {
    if (this.#wishes.format === 'json') this.#out.write('\n]}\n');
  }
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

const kShard = /-\d{5}-of-\d{5}\.gguf$/;

/** The command judges shards that are named together as a set as well; whoever does not must say so. */
function warnOfShards(paths, stderr) {
  if (paths.filter((path) => kShard.test(path)).length < 2) return;
  stderr.write('ggufgate: each shard is judged alone here; whether they fit each other is not looked at\n');
}

function exitCodeOf({ accept, reject, undecided }) {
  if (reject > 0) return kReject;
  return undecided > 0 || accept === 0 ? kUndecided : kAccept;
}

async function check(wishes, streams) {
  const gate = await Gate.load();
  const options = { profile: wishes.profile, data: wishes.data, failOn: wishes['fail-on'] };
  const printer = new Printer(wishes, streams);
  const counts = { accept: 0, reject: 0, undecided: 0 };
  for (const path of wishes.paths) {
    const report = await judge(gate, path, options);
    ++counts[report.verdict];
    printer.add(report);
  }
  printer.finish();
  warnOfShards(wishes.paths, streams.stderr);
  if (wishes.format === 'text' && wishes.paths.length > 1) {
    const { accept, reject, undecided } = counts;
    streams.stderr.write(
      `${wishes.paths.length} files: ${accept} ok, ${reject} rejected, ${undecided} undecided\n`);
  }
  return exitCodeOf(counts);
}

/** Runs a command line on streams like process's, and gives the exit code. */
export async function main(args, streams) {
  let wishes;
  try {
    wishes = wishesOf(args);
  } catch (error) {
    streams.stderr.write(`ggufgate: ${printable(error.message)}\n`);
    return kUndecided;
  }
  if (wishes.help) {
    streams.stdout.write(kUsage);
    return kAccept;
  }
  if (wishes.version) {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    streams.stdout.write(`ggufgate ${version} (WebAssembly)\n`);
    return kAccept;
  }
  if (wishes.paths.length === 0) {
    streams.stderr.write(kUsage);
    return kUndecided;
  }
  return check(wishes, streams);
}
