// `npx ggufgate` compared with `ggufgate check`: the same text, the same JSON, the same exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { comparable } from './same.js';
import { corpus, run } from './expected.js';
import { parseExactly } from '../src/instance.js';

const kProgram = process.env.GGUFGATE_JS ?? fileURLToPath(new URL('../bin/ggufgate.js', import.meta.url));
const kGood = path.join(corpus, 'valid/sample-llama.gguf');
const kBad = path.join(corpus, 'invalid/damage-cut-short.gguf');
const kFewNotes = path.join(corpus, 'valid/alignment-unusual.noted.gguf');
const kEnvironment = { env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' } };

const folder = mkdtempSync(path.join(tmpdir(), 'ggufgate-'));
after(() => rmSync(folder, { recursive: true }));

function ours(args) {
  return spawnSync(process.execPath, [kProgram, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, ...kEnvironment });
}

// Remove the elapsed time, which differs.
const timeless = (text) => text.replace(/ {3}(\u001b\[2m)?[\d.,]+ (?:ms|s)(\u001b\[0m)?$/gm, '   $1a moment$2');

const kCases = [
  [[kGood], 0],
  [[kBad], 1],
  [[kGood, kBad, kFewNotes], 1],
  [['--verbose', kFewNotes, kGood], 0],
  [['--quiet', kGood, kFewNotes], 0],
  [['--color', 'always', kGood, kBad], 1],
  [['--fail-on', 'note', kFewNotes], 1],
  [['--profile', 'llama.cpp', '--data', 'full', kGood, kBad], 1],
  [[kGood, path.join(folder, 'absent.gguf')], 2],
];

for (const [args, code] of kCases) {
  const shown = args.map((arg) => path.basename(arg)).join(' ');
  test(`text: ${shown}`, () => {
    const [said, expected] = [ours(args), run(['check', ...args], kEnvironment)];
    assert.equal(timeless(said.stdout), timeless(expected.stdout));
    assert.equal(said.stderr, expected.stderr);
    assert.equal(said.status, expected.status);
    assert.equal(said.status, code);
  });
  test(`json: ${shown}`, () => {
    const json = args.concat(['--format', 'json']);
    const [said, expected] = [ours(json), run(['check', ...json], kEnvironment)];
    const [a, b] = [said, expected].map(({ stdout }) => parseExactly(stdout));
    for (const report of [a, b]) {
      assert.equal(typeof report.confinement.files, 'boolean');
      delete report.confinement;
      for (const file of report.files) assert.equal(typeof file.elapsed_ms, 'number');
      for (const file of report.files) delete file.elapsed_ms;
    }
    assert.deepEqual(a, b);
    assert.equal(said.status, code);
  });
}

test('jsonl: a line a file', () => {
  const args = ['--format', 'jsonl', kGood, kBad];
  const [said, expected] = [ours(args), run(['check', ...args])].map(({ stdout }) => stdout.trimEnd().split('\n'));
  assert.deepEqual(said.map((line) => comparable(line, { machine: true })),
    expected.map((line) => comparable(line, { machine: true })));
});

test('check may be said, too', () => {
  assert.equal(ours(['check', kGood]).status, 0);
});

test('hostile names are shown as the command shows them', () => {
  const name = path.join(folder, 'a\u001b[31m\u202e\n<b>.gguf');
  symlinkSync(kBad, name);
  const [said, expected] = [ours([name]), run(['check', name])];
  assert.equal(said.stdout, expected.stdout);
  assert.ok(!said.stdout.includes('\u001b'));
});

test('what is empty is rejected', () => {
  writeFileSync(path.join(folder, 'empty.gguf'), '');
  assert.equal(ours([path.join(folder, 'empty.gguf')]).status, 1);
});

test('a wrong command line is no verdict', () => {
  for (const args of [[], ['--profile', 'strict', kGood], ['--nonsense', kGood], ['--format', 'xml', kGood]]) {
    const said = ours(args);
    assert.equal(said.status, 2, args.join(' '));
    assert.equal(said.stdout, '');
    assert.notEqual(said.stderr, '');
  }
});

test('a wrong command line is told in one sentence', () => {
  for (const [args, what] of [
    [['--fromat', 'json', kGood], 'there is no option "--fromat"'], [[kGood, '--format'], '--format needs a value'],
    [[kGood, '--quiet=x'], '--quiet takes no value'], [[kGood, '--format=xml'], '--format: must be one of text, json, jsonl, not "xml"'],
    [[kGood, '--data', 'full', '--data', 'none'], '--data is given 2 times; give it once'],
    [[kGood, '-q', '-v'], '--quiet and --verbose exclude each other; give one of them'],
    [['-', '-'], 'standard input (-) is given more than once; give it once'], [[''], 'PATH: must not be empty'],
  ]) {
    const said = ours(args);
    assert.equal(said.status, 2, args.join(' '));
    assert.equal(said.stdout, '');
    assert.equal(said.stderr, `ggufgate: ${what}\nTry 'npx ggufgate --help'.\n`);
  }
});

test('a name that passes for an option is shown and not obeyed', () => {
  const said = ours(['--\u001b[31m\u202ename.gguf']);
  assert.equal(said.status, 2);
  assert.match(said.stderr, /\\u\{1b\}\[31m\\u\{202e\}name\.gguf/);
  assert.doesNotMatch(said.stderr, /[^\P{C}\n]/u);
});

test('what the compiled program alone has is refused by name', () => {
  for (const [args, what] of [
    [['--policy', 'strict.toml', kGood], /--policy/], [['--policy=strict.toml', kGood], /--policy/],
    [['--format', 'sarif', kGood], /--format sarif/], [['-o', 'x', kGood], /-o/], [['--exclude', '*.gguf', kGood], /--exclude/],
    [['inspect', kGood], /command inspect/],
  ]) {
    const said = ours(args);
    assert.equal(said.status, 2, args.join(' '));
    assert.equal(said.stdout, '');
    assert.match(said.stderr, what);
    assert.match(said.stderr, /only in the compiled ggufgate/);
  }
  const address = ours(['https://example.org/model.gguf', kGood]);
  assert.equal(address.status, 2);
  assert.match(address.stdout, /^undecided {2}https:.*not fetched here/);
});

test('a report that nobody can read to its end is no verdict', () => {
  const said = spawnSync('bash', ['-c', '"$0" "$1" "$2" --format json > /dev/full; echo "code $?"', process.execPath, kProgram, kGood],
    { encoding: 'utf8' });
  assert.match(said.stdout, /^code 2$/m);
  assert.match(said.stderr, /no space left/);
});

test('help and version', () => {
  assert.match(ours(['--help']).stdout, /^usage: ggufgate/);
  assert.match(ours(['--version']).stdout, /^ggufgate \d+\.\d+\.\d+ /);
});
