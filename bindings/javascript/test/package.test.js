// The package as its users have it: packed, installed in an empty folder without a network, used there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { corpus } from './expected.js';

const kPackage = fileURLToPath(new URL('..', import.meta.url));
const kGood = path.join(corpus, 'valid/sample-llama.gguf');
const kBad = path.join(corpus, 'invalid/damage-cut-short.gguf');
const kMostBytes = 1_500_000;

const folder = mkdtempSync(path.join(tmpdir(), 'ggufgate-'));
after(() => rmSync(folder, { recursive: true }));

function command(name, args, cwd = folder) {
  // No registry has this address, so none is used.
  const env = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: path.join(folder, 'cache'), npm_config_update_notifier: 'false', npm_config_audit: 'false' };
  return spawnSync(name, args, { cwd, env, encoding: 'utf8' });
}

function succeeds(done) {
  assert.equal(done.status, 0, done.stdout + done.stderr);
  return done.stdout;
}

let tarball;
before(() => {
  const [packed] = JSON.parse(succeeds(command('npm', ['pack', '--json', '--pack-destination', folder], kPackage)));
  tarball = path.join(folder, packed.filename);
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  succeeds(command('npm', ['install', tarball]));
});

test('it is small, and holds nothing but itself', () => {
  assert.ok(statSync(tarball).size < kMostBytes, `${statSync(tarball).size} bytes`);
  const installed = path.join(folder, 'node_modules', 'ggufgate');
  const names = readdirSync(installed).sort();
  assert.deepEqual(names, ['LICENSE', 'README.md', 'bin', 'examples', 'ggufgate.wasm', 'index.d.ts', 'package.json', 'src']);
  const { dependencies, license } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
  assert.equal(license, 'MIT');
  assert.deepEqual(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['ggufgate']);
});

test('npx ggufgate', () => {
  const good = command('npx', ['ggufgate', kGood]);
  assert.match(succeeds(good), /^ok {6}/);
  const bad = command('npx', ['ggufgate', kGood, kBad]);
  assert.equal(bad.status, 1, bad.stderr);
  assert.match(bad.stdout, /error\[tensor-data-bounds\]/);
  assert.equal(command('npx', ['ggufgate', 'absent.gguf']).status, 2);
});

/** A copy of the package, in which `edit(place)` has broken something; `place(name)` is a path in it. */
function broken(name, edit) {
  const copy = path.join(folder, name);
  cpSync(kPackage, copy, { recursive: true });
  edit((part) => path.join(copy, part));
  return copy;
}

test('without a module nothing is packed', () => {
  for (const [name, edit, says] of [
    ['absent', (place) => rmSync(place('ggufgate.wasm')), /ggufgate\.wasm is missing, so nothing was packed: run bindings\/javascript\/make-module/],
    ['damaged', (place) => writeFileSync(place('ggufgate.wasm'), '\0asm'), /is no WebAssembly module, so nothing was packed/],
  ]) {
    const copy = broken(`pack-${name}`, edit);
    const done = command('npm', ['pack'], copy);
    assert.notEqual(done.status, 0, name);
    assert.match(done.stderr, says);
    assert.deepEqual(readdirSync(copy).filter((file) => file.endsWith('.tgz')), [], name);
  }
});

test('an internal error is no verdict: exit code 2', () => {
  const ending = (place) => place('src/command/main.js');
  for (const [name, edit, says] of [
    ['no-module', (place) => rmSync(place('ggufgate.wasm')), /ggufgate\.wasm is missing; in a source tree, bindings\/javascript\/make-module builds it/],
    ['bad-module', (place) => writeFileSync(place('ggufgate.wasm'), 'wasm'), /WebAssembly/],
    ['no-source', (place) => rmSync(place('src'), { recursive: true }), /Cannot find module/],
    ['bad-source', (place) => writeFileSync(ending(place), 'export {'), /./],
    ['no-main', (place) => writeFileSync(ending(place), ''), /main/],
    ['throws', (place) => writeFileSync(ending(place), 'export async function main() { throw new Error("a\\u001b[31m"); }'), /a\\u\{1b\}\[31m/],
    ['throws-nothing', (place) => writeFileSync(ending(place), 'export async function main() { throw undefined; }'), /undefined/],
    ['later', (place) => writeFileSync(ending(place), 'export async function main() { setTimeout(() => { throw new Error("later"); }); return 0; }'), /later/],
    ['rejection', (place) => writeFileSync(ending(place), 'export async function main() { Promise.reject(new Error("lost")); return 0; }'), /lost/],
    ['no-end', (place) => writeFileSync(ending(place), 'export function main() { return new Promise(() => {}); }'), /^/],
  ]) {
    const copy = broken(`internal-${name}`, edit);
    const done = command(process.execPath, [path.join(copy, 'bin', 'ggufgate.js'), kGood]);
    assert.equal(done.status, 2, `${name}: ${done.stderr}`);
    assert.equal(done.stdout, '', name);
    assert.match(done.stderr, says, name);
    assert.ok(!done.stderr.includes('\u001b'), name);
  }
});

test('it is imported by its name', () => {
  writeFileSync(path.join(folder, 'use.js'), `
    import { Gate, fromPath } from 'ggufgate';
    const gate = await Gate.load();
    const source = await fromPath(process.argv[2]);
    const report = await gate.check(source);
    await source.close();
    console.log(report.verdict);`);
  assert.equal(succeeds(command(process.execPath, ['use.js', kGood])), 'accept\n');
  assert.equal(succeeds(command(process.execPath, ['use.js', kBad])), 'reject\n');
});

test('it stands in a web page as it is', () => {
  // No import of Node, and none by a bare name: a browser needs no bundler.
  const source = path.join(folder, 'node_modules', 'ggufgate', 'src');
  const seen = new Set(['index.js']);
  for (const name of seen) {
    for (const [, what] of readFileSync(path.join(source, name), 'utf8').matchAll(/from '([^']+)'/g)) {
      assert.match(what, /^\.\/[a-z]+\.js$/, `${name} imports ${what}`);
      seen.add(what.slice(2));
    }
  }
  assert.ok(seen.size > 3 && !seen.has('node.js'));
});

for (const [name, args, expected] of [
  ['check.js', [kGood, kBad], /^accept .*\nreject .*\n {2}0xea2 tensor-data-bounds: .*\n/],
  ['metadata.js', [kGood], /general\.architecture = "llama"/],
]) {
  test(`examples/${name}`, () => {
    const done = command(process.execPath, [path.join('node_modules', 'ggufgate', 'examples', name), ...args]);
    assert.match(done.stdout, expected, done.stderr);
  });
}
