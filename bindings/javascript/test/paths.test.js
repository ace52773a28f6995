// `npx ggufgate` with folders, shards and standard input. It must write the same bytes as `ggufgate check`, except the
// elapsed time.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { command, corpus } from './expected.js';

const kProgram = process.env.GGUFGATE_JS ?? fileURLToPath(new URL('../bin/ggufgate.js', import.meta.url));
const kGood = path.join(corpus, 'valid/sample-llama.gguf');
const kBad = path.join(corpus, 'invalid/damage-cut-short.gguf');

const folder = mkdtempSync(path.join(tmpdir(), 'ggufgate-'));
after(() => rmSync(folder, { recursive: true }));

function made(name, from = kGood) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  if (Buffer.isBuffer(from)) writeFileSync(file, from);
  else copyFileSync(from, file);
  return file;
}

const ran = (program, args, options) => {
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: 'latin1', maxBuffer: 1 << 28, env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' }, ...options,
  });
  const timeless = stdout.replace(/ {3}[\d.,]+ (?:ms|s)$/gm, '   a moment').replace(/"elapsed_ms":[\d.e-]+/g, '')
    .replace(/"confinement":\{[^}]*\}/, '');
  return { stdout: timeless, stderr, status };
};

/** Runs both, checks that their reports are equal, and returns one. */
function both(args, options = {}) {
  const said = ran(process.execPath, [kProgram, ...args], options);
  assert.deepEqual(said, ran(command, ['check', ...args], options), args.join(' '));
  return said;
}

test('the corpus as a folder', () => {
  assert.equal(both([corpus]).status, 1);
  assert.equal(both(['--format', 'json', '--fail-on', 'note', corpus]).status, 1);
});

test('folders are searched by the same rule', () => {
  made('models/deep/er/WITHOUT-EXTENSION');
  made('models/broken.GGUF', Buffer.from('Entry not found'));
  made('models/.gguf', Buffer.from('a name without an extension'));
  made('models/b/notes.txt', Buffer.from('GGU'));
  made('models/b/sha256-00', Buffer.alloc(64));
  made('models/B.gguf');
  writeFileSync(Buffer.concat([Buffer.from(path.join(folder, 'models/b/')), Buffer.from([0xFF, 0x1B]), Buffer.from('.gguf')]), readFileSync(kBad));
  symlinkSync('nowhere', path.join(folder, 'models/gone.gguf'));
  symlinkSync('nowhere', path.join(folder, 'models/gone.txt'));
  symlinkSync('..', path.join(folder, 'models/deep/round'));
  symlinkSync(kGood, path.join(folder, 'models/deep/linked'));
  const said = both([path.join(folder, 'models')]);
  assert.equal(said.status, 1);
  assert.match(said.stderr, /skipped {2}.*sha256-00: it does not begin with GGUF\n5 files skipped.*\n6 files:/);
  for (const more of [['--verbose'], ['--quiet'], ['--format', 'json'], ['--format', 'jsonl']]) both([...more, path.join(folder, 'models')]);
});

test('in which nothing is found, nothing was checked', () => {
  made('nothing/notes.txt', Buffer.from('x'));
  for (const more of [[], ['--format', 'json']]) {
    const said = both([...more, path.join(folder, 'nothing')]);
    assert.equal(said.status, 2);
    assert.match(said.stderr, /nothing was checked/);
  }
});

test('a store of models is not passed over', () => {
  made('ollama/blobs/sha256-00', kGood);
  made('ollama/manifests/registry.ollama.ai/library/m/latest', Buffer.from('{}'));
  made('hub/models--a--b/blobs/00', kGood);
  mkdirSync(path.join(folder, 'hub/models--a--b/snapshots'));
  for (const [name, whose] of [['ollama', /Ollama/], ['hub', /Hugging Face/]]) {
    const said = ran(process.execPath, [kProgram, path.join(folder, name), kGood]);
    assert.equal(said.status, 2);
    assert.match(said.stdout, /^undecided/);
    assert.match(said.stdout, whose);
  }
});

const shard = (number, { of = 3, tensor = `t.${number}` } = {}) => {
  const text = (value) => [u64(Buffer.byteLength(value)), Buffer.from(value)];
  const u16 = (key, value) => [...text(key), u32(2), Buffer.from([value, 0])];
  const keys = [u16('split.no', number - 1), u16('split.count', of), [...text('split.tensors.count'), u32(5), u32(of)]];
  if (number === 1) keys.unshift([...text('general.architecture'), u32(8), ...text('test')]);
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(1), u64(keys.length), ...keys.flat(),
    ...text(tensor), u32(1), u64(8), u32(0), u64(0)]);
  return Buffer.concat([head, Buffer.alloc(-head.length & 31), Buffer.alloc(32)]);
};
const u32 = (value) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const nameOf = (number, of = 3) => `m-0000${number}-of-0000${of}.gguf`;

for (const [what, files, code, pattern] of [
  ['is sound', [[1], [2], [3]], 0, /^(ok.*\n){3}$/],
  ['lacks a shard', [[1], [3]], 1, /m-00002-of-00003\.gguf/],
  ['has a shard under another number', [[1], [2, shard(3)], [3]], 1, /shard-set/],
  ['has a tensor twice', [[1], [2, shard(2, { tensor: 't.1' })], [3]], 1, /shard-set/],
  ['has a shard that says nothing of it', [[1], [2, readFileSync(kGood)], [3]], 1, /shard-set/],
  ['has a shard that is damaged', [[1], [2, shard(2).subarray(0, 100)], [3]], 1, /shard-set/],
  ['has a shard of another count', [[1], [2, shard(2, { of: 4 })], [3]], 1, /shard-set/],
]) {
  test(`a set that ${what}`, () => {
    const set = `set ${what}`;
    const paths = files.map(([number, bytes = shard(number)]) => made(`${set}/${nameOf(number)}`, bytes));
    const said = both([path.join(folder, set)]);
    assert.equal(said.status, code, said.stdout);
    assert.match(said.stdout, pattern);
    both(['--format', 'json', ...paths]);
  });
}

test('shards that are named', () => {
  const paths = [1, 2, 3].map((number) => made(`named/${nameOf(number)}`, shard(number)));
  assert.equal(both([paths[1]]).status, 0);  // a single shard is checked alone
  const said = both([kGood, paths[2], kBad, paths[0], paths[0]]);
  assert.match(said.stdout, /m-00002-of-00003\.gguf/);
  assert.equal(both([paths[0]]).stdout.split('\n').length, 4);  // the others are added
  rmSync(paths[1]);
  assert.match(both([paths[0]]).stdout, /"m-00002-of-00003\.gguf" is missing/);
});

test('shards whose name contradicts them', () => {
  for (const [name, bytes, code] of [
    [nameOf(4), shard(3), 1],
    [nameOf(4), readFileSync(kGood), 0],  // a warning: it is not a shard
    [nameOf(2), shard(3), 1],
    [nameOf(2, 4), shard(2), 1],
    [nameOf(2), shard(2), 0],
  ]) {
    const one = made(`contradicts/${name}`, bytes);
    assert.equal(both([one]).status, code, name);
    assert.equal(both(['--format', 'json', one]).status, code, name);
  }
});

test('a set of which one cannot be judged is undecided', () => {
  const paths = [1, 2, 3].map((number) => made(`undecided/${nameOf(number)}`, shard(number)));
  rmSync(paths[1]);
  symlinkSync('nowhere', paths[1]);
  const said = both([path.join(folder, 'undecided')]);
  assert.equal(said.status, 2);
  assert.match(said.stdout, /another shard of its set could not be checked/);
  both(['--format', 'json', ...paths]);
});

test('standard input', () => {
  const from = (file, args) => {
    const input = openSync(file, 'r');
    try {
      return both(args, { stdio: [input, 'pipe', 'pipe'] });
    } finally {
      closeSync(input);
    }
  };
  assert.equal(from(kGood, ['-']).status, 0);
  assert.equal(from(kBad, ['-', '--format', 'json']).status, 1);
  assert.equal(from('/dev/null', ['-']).status, 1);
  assert.equal(from(folder, ['-']).status, 2);
  assert.equal(both(['-', kGood], { input: readFileSync(kGood) }).status, 0);
  assert.equal(both(['-', '--data', 'full', '--format', 'json'], { input: readFileSync(kBad) }).status, 1);
  assert.equal(both(['-'], { input: Buffer.alloc(0) }).status, 1);
});

test('of standard input that is a file, all is judged or nothing', () => {
  const run = (program) => ran('sh', ['-c', '(dd bs=100 count=1 > /dev/null 2>&1; exec "$@")', 'sh', ...program],
    { stdio: [openSync(kGood, 'r'), 'pipe', 'pipe'] });
  const said = run([process.execPath, kProgram, '-']);
  assert.deepEqual(said, run([command, 'check', '-']));
  assert.equal(said.status, 2);
  assert.match(said.stdout, /read up to byte 100/);
});
