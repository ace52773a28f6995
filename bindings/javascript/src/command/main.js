// `npx ggufgate`: same output and exit codes as `ggufgate check PATH…`.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Instance } from '../instance.js';
import { Gate, profiles } from '../node.js';
import { findFiles } from './find.js';
import { sourceOf, unreadable } from './input.js';
import { bytesOf, fromArgument } from './paths.js';
import { ShardSets, findShardsBeside } from './shards.js';

const kAccept = 0;
const kReject = 1;
const kUndecided = 2;

const kUsage = `usage: ggufgate [check] [OPTIONS] PATH…

Checks GGUF files, folders, or - for standard input (a pipe is stored in memory). In a folder, it checks files that
begin with the letters GGUF, and files named *.gguf. The shards of one model are also checked as a set, if they are
given together or are in one folder; for a first shard, the others in its folder are added. Exit code 0: every file is
accepted; 1: a file is rejected, do not load it; 2: a file could not be checked, or the command was wrong: do not load
it either.

  --profile NAME      ${profiles.join(' | ')} (default: gate)
  --data WHAT         none | scales | full: how much of the tensor data is checked (default: none)
  --fail-on SEVERITY  error | warning | note (default: error)
  -f, --format NAME   text | json | jsonl (default: text)
  --color WHEN        auto | always | never (default: auto)
  -q, --quiet         do not print accepted files
  -v, --verbose       also print notes
  --version           print the version
  -h, --help          print this

The compiled program also has policy files, addresses, stores of models, the second opinion, other report formats
and other commands. They are refused here, never ignored.
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

// Options of the compiled program that are missing here are refused by name. A file name may look like an
// option and contain terminal commands, so it is escaped.
const printable = (text) => text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

const kCommands = ['run', 'inspect', 'dequantize', 'diff', 'manifest', 'verify', 'rules', 'explain', 'policy', 'mutate', 'generate', 'help'];
const kFormats = ['sarif', 'junit', 'github', 'codequality', 'html', 'markdown'];
const kElsewhere = /^--?(policy|output|o|jobs|j|sha256|verify-digest|second-opinion|summary|files-from|null|0|exclude|total-size|pass-through|contracts|rehearse|ollama|huggingface|allow-private|allow-http|ca-file|network-timeout)$/;
const elsewhere = (what) => new Error(`${what} is only in the compiled ggufgate, not here`);

/** The error message for an option, instead of that of Node. */
function refuseMisuse(tokens) {
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = kOptions[token.name];
    if (!option) throw new Error(`there is no option "${token.rawName}"`);
    if (option.type === 'string' && token.value === undefined) throw new Error(`${token.rawName} needs a value`);
    if (option.type === 'boolean' && token.value !== undefined) throw new Error(`${token.rawName} takes no value`);
    const times = tokens.filter(({ kind, name }) => kind === 'option' && name === token.name).length;
    if (option.type === 'string' && times > 1) throw new Error(`--${token.name} is given ${times} times; give it once`);
  }
}

/** The options of a command line; throws for wrong usage. */
function wishesOf(args) {
  const { values, positionals, tokens } = parseArgs({ args, options: kOptions, allowPositionals: true, strict: false, tokens: true });
  for (const { kind, rawName } of tokens) {
    if (kind === 'option' && kElsewhere.test(rawName)) throw elsewhere(rawName);
  }
  if (kCommands.includes(positionals[0])) throw elsewhere(`the command ${positionals[0]}`);
  if (kFormats.includes(values.format)) throw elsewhere(`--format ${values.format}`);
  refuseMisuse(tokens);
  parseArgs({ args, options: kOptions, allowPositionals: true });  // with its default strictness
  for (const [name, words] of Object.entries(kWords)) {
    if (values[name] !== undefined && !words.includes(values[name])) {
      throw new Error(`--${name}: must be one of ${words.join(', ')}, not "${values[name]}"`);
    }
  }
  const paths = positionals[0] === 'check' ? positionals.slice(1) : positionals;
  if (values.quiet && values.verbose) throw new Error('--quiet and --verbose exclude each other; give one of them');
  if (paths.includes('')) throw new Error('PATH: must not be empty');
  if (paths.filter((path) => path === '-').length > 1) {
    throw new Error('standard input (-) is given more than once; give it once');
  }
  return { ...values, paths };
}

// SOURCE_DATE_EPOCH (reproducible-builds.org) replaces the time, so that two runs can write the same report.
function timeOf(environment) {
  const set = environment.SOURCE_DATE_EPOCH;
  const seconds = /^\d{1,10}$/.test(set ?? '') ? Number(set) : Math.floor(Date.now() / 1000);
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Checks a source and closes it. */
async function judge(gate, source, options) {
  try {
    return await gate.check(source, options);
  } finally {
    await source.close?.();
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
        if (first) this.#out.write(this.#head(report));
        this.#out.write((first ? '\n' : ',\n') + report.json());
        break;
      case 'jsonl':
        this.#out.write(`${report.json()}\n`);
        break;
      default:
        this.#out.write(report.text(this.#style));
    }
  }

  /** `blank` returns an empty report, if there is no other. */
  async finish(blank) {
    if (this.#wishes.format !== 'json') return;
    if (this.#count === 0) this.#out.write(this.#head(await blank()));
    this.#out.write('\n]}\n');
  }

  #head(report) {
    return report.jsonHead({ time: this.time, policySha256: sha256(report.policy()) });
  }
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Reports skipped files: their number, and the names of possible broken models. */
function saySkipped({ skipped, skippedCount }, { quiet, verbose }, escape, stderr) {
  if (skippedCount === 0 || quiet) return;
  for (const { path, why, suspicious } of skipped) {
    if (suspicious || verbose) stderr.write(`skipped  ${escape(path)}: ${why}\n`);
  }
  stderr.write(`${skippedCount} ${skippedCount === 1 ? 'file' : 'files'} skipped${verbose ? '' : `; --verbose lists ${skippedCount === 1 ? 'it' : 'them'}`}\n`);
}

const kMostNamed = 10;

function sayNothingWasChecked(paths, escape, stderr) {
  const named = paths.slice(0, kMostNamed).map((path) => ` ${escape(path)}`).join('');
  const more = paths.length > kMostNamed ? ` and ${(paths.length - kMostNamed).toLocaleString('en-US')} more` : '';
  stderr.write(`ggufgate: nothing was checked: no GGUF file in${named}${more}\n`);
}

function exitCodeOf({ accept, reject, undecided }) {
  if (reject > 0) return kReject;
  return undecided > 0 || accept === 0 ? kUndecided : kAccept;
}

async function loadModule() {
  const place = new URL('../../ggufgate.wasm', import.meta.url);
  try {
    return await WebAssembly.compile(await readFile(place));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${fileURLToPath(place)} is missing; in a source tree, bindings/javascript/make-module builds it`);
  }
}

async function check(wishes, streams) {
  const module = await loadModule();
  const gate = await Gate.load(module);
  const options = { profile: wishes.profile, data: wishes.data, failOn: wishes['fail-on'] };
  const printer = new Printer(wishes, streams);
  const counts = { accept: 0, reject: 0, undecided: 0 };
  const take = (report) => {
    ++counts[report.verdict];
    printer.add(report);
  };
  const paths = wishes.paths.map(fromArgument);
  const found = findFiles(paths);
  findShardsBeside(found);
  for (const { path, why } of found.problems) take(await judge(gate, unreadable(path, why), options));
  const sets = new ShardSets(found.files, take);
  for (const { path } of found.files) sets.add(await judge(gate, await sourceOf(path, streams.stdin), options));
  await printer.finish(() => judge(gate, unreadable('', 'nothing'), options));

  const words = new Instance(module);
  const escape = (path) => words.withTexts([bytesOf(path)], (...place) => words.text(words.wasm.gate_escape(...place)));
  saySkipped(found, wishes, escape, streams.stderr);
  const { accept, reject, undecided } = counts;
  const total = accept + reject + undecided;
  if (total === 0) {
    sayNothingWasChecked(paths, escape, streams.stderr);
  } else if (wishes.format === 'text' && total > 1) {
    streams.stderr.write(`${total} files: ${accept} ok, ${reject} rejected, ${undecided} undecided\n`);
  }
  return exitCodeOf(counts);
}

/** Runs a command line on streams like those of process, and returns the exit code. */
export async function main(args, streams) {
  let wishes;
  try {
    wishes = wishesOf(args);
  } catch (error) {
    streams.stderr.write(`ggufgate: ${printable(error.message)}\nTry 'npx ggufgate --help'.\n`);
    return kUndecided;
  }
  if (wishes.help) {
    streams.stdout.write(kUsage);
    return kAccept;
  }
  if (wishes.version) {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    streams.stdout.write(`ggufgate ${version} (WebAssembly)\n`);
    return kAccept;
  }
  if (wishes.paths.length === 0) {
    streams.stderr.write(kUsage);
    return kUndecided;
  }
  return check(wishes, streams);
}
