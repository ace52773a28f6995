// The public interface of the package.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { Gate, fromBlob, fromBytes, fromPath } from 'ggufgate';
import { corpus, run } from './expected.js';
import { parseExactly } from '../src/instance.js';

const kModel = `${corpus}/valid/sample-llama.gguf`;
const kCut = `${corpus}/invalid/damage-cut-short.gguf`;
let gate;
before(async () => {
  gate = await Gate.load();
});

const model = (name) => new Uint8Array(readFileSync(name));

/** A copy of `bytes` in which `text` overwrites the bytes from `at` on. */
function with_(bytes, at, text) {
  const edited = bytes.slice();
  edited.set(new TextEncoder().encode(text), at);
  return edited;
}

test('a sound file is accepted', async () => {
  const report = await gate.check(fromBytes(model(kModel), 'a.gguf'));
  assert.equal(report.verdict, 'accept');
  assert.equal(report.path, 'a.gguf');
  assert.equal(report.problem, undefined);
  assert.equal(report.summary.architecture, 'llama');
  assert.match(report.text(), /^ok {6}a\.gguf {3}llama 165K, Q4_0 mostly, 21 tensors, 134 kB, weights not checked {3}[\d.]+ m?s\n$/);
});

test('a broken file is rejected, byte by byte', async () => {
  const report = await gate.check(fromBytes(model(kCut), 'b.gguf'));
  assert.equal(report.verdict, 'reject');
  const [finding] = report.findings;
  assert.equal(finding.rule, 'tensor-data-bounds');
  assert.equal(finding.offset, 0xea2);
  assert.equal(finding.observed, 3840);
  assert.equal(finding.cause.id, 'cut-short');
  const [first, , third] = report.text().split('\n');
  assert.equal(first, 'reject  b.gguf');
  assert.match(third, /fetch it again$/);
});

test('one byte decides', async () => {
  const bytes = model(kModel);
  assert.equal((await gate.check(fromBytes(with_(bytes, 0, 'GGUF')))).verdict, 'accept');
  const report = await gate.check(fromBytes(with_(bytes, 0, 'GGUG')));
  assert.equal(report.findings[0].rule, 'magic');
});

test('any number of bytes has a report', async () => {
  const bytes = model(kModel);
  for (const size of [0, 1, 4, 23, 24, 25, 9663, 9664, 65536]) {
    const report = await gate.check(fromBytes(bytes.subarray(0, size)));
    assert.equal(report.verdict, 'reject', `${size} bytes`);
    assert.ok(report.findings.length > 0);
  }
});

test('a blob is read by slices, and only what is needed', async () => {
  const blob = new Blob([model(kModel)]);
  const source = fromBlob(blob, 'c.gguf');
  const asked = [];
  const report = await gate.check({
    ...source,
    read: (offset, length) => {
      asked.push([offset, length]);
      return source.read(offset, length);
    },
  });
  assert.equal(report.verdict, 'accept');
  assert.deepEqual(asked[0], [0, 65536]);
  assert.ok(asked.slice(1).every(([, length]) => length <= 8192), JSON.stringify(asked));
});

/** The report, except the elapsed time. */
const essence = (report) => JSON.stringify({ ...JSON.parse(report.json()), elapsed_ms: 0 });

test('a blob as it comes from the browser gives the report that its bytes give', async () => {
  for (const bytes of [model(kModel), model(kCut), model(kModel).subarray(0, 9000), new Uint8Array()]) {
    for (const data of ['none', 'full']) {
      const wanted = essence(await gate.check(fromBytes(bytes, 'd.gguf'), { data }));
      const source = fromBlob(new Blob([bytes]), 'd.gguf');
      const reports = await Promise.all([gate.check(source, { data }), gate.check(source, { data })]);
      assert.deepEqual(reports.map(essence), [wanted, wanted]);
    }
  }
});

test('a blob without streams of bytes is read by slices', async () => {
  const blob = new Blob([model(kModel)]);
  blob.stream = () => new ReadableStream();
  assert.equal((await gate.check(fromBlob(blob))).verdict, 'accept');
});

test('a blob whose stream ends too soon, or fails, is not accepted', async () => {
  const failing = { pull: (controller) => controller.error(new Error('gone')), type: 'bytes' };
  const ending = { start: (controller) => controller.close(), type: 'bytes' };
  for (const [underlying, problem] of [[failing, 'gone'], [ending, 'the file became shorter while it was read']]) {
    const blob = new Blob([model(kModel)]);
    blob.stream = () => new ReadableStream(underlying);
    const report = await gate.check(fromBlob(blob));
    assert.equal(report.verdict, 'undecided');
    assert.equal(report.problem, problem);
  }
});

test('a gate that is prepared says the same, once and again', async () => {
  const prepared = await Gate.load();
  const wanted = essence(await gate.check(fromBytes(model(kModel))));
  prepared.prepare();
  prepared.prepare();
  for (let i = 0; i < 3; ++i) assert.equal(essence(await prepared.check(fromBytes(model(kModel)))), wanted);
});

test('all data are read once, and progress is told', async () => {
  const bytes = model(kModel);
  const told = [];
  const report = await gate.check(fromBytes(bytes), { data: 'full', onProgress: (...both) => told.push(both) });
  assert.equal(report.verdict, 'accept');
  assert.equal(report.data, 'full');
  assert.ok(told.at(-1)[0] >= bytes.length - 65536);
  assert.ok(told.every(([, size]) => size === bytes.length));
});

test('the contents, page by page', async () => {
  const { file } = await gate.check(fromBytes(model(kModel)));
  const inspected = JSON.parse(run(['inspect', '--format', 'json', '--layout', '--metadata', '--tensors', kModel]).stdout);
  assert.equal(file.header.data_begin, 9664);
  assert.deepEqual(file.keys(), inspected.metadata);
  assert.deepEqual(file.tensors(), inspected.tensors);
  assert.deepEqual(file.regions(), inspected.layout);
  assert.equal(file.keyCount, inspected.metadata.length);
  assert.equal(file.regionCount, inspected.layout.length);
  assert.deepEqual(file.keys(3, 2), inspected.metadata.slice(3, 5));
  assert.deepEqual(file.keys(1e9, 2), []);
  assert.deepEqual(file.tensors(20, 100), inspected.tensors.slice(20));
  const tokens = inspected.metadata.findIndex(({ key }) => key === 'tokenizer.ggml.tokens');
  const all = file.elements(tokens, 0, 1e6);
  assert.equal(all.length, inspected.metadata[tokens].count);
  assert.deepEqual(file.elements(tokens, 2, 3), all.slice(2, 5));
  assert.deepEqual(file.elements(tokens, all.length, 3), []);
  assert.deepEqual(file.elements(1e6), []);
  assert.throws(() => file.keys(-1), RangeError);
  assert.throws(() => file.keys(0.5), RangeError);
  assert.deepEqual(await file.bytes(0, 4), new TextEncoder().encode('GGUF'));
  assert.equal((await file.bytes(134460, 100)).length, 4);
});

test('the parts of every region cover it', async () => {
  const { file } = await gate.check(fromBytes(model(kModel)));
  const all = file.regions();
  for (const [index, region] of all.entries()) {
    let at = region.offset;
    for (let pages = 0; at < region.offset + region.length && pages < 5; ++pages) {
      const { parts, next } = file.parts(index, at, 50);
      assert.ok(parts.length > 0 && parts.length <= 50);
      for (const { offset, length, name } of parts) {
        assert.equal(offset, at);
        assert.ok(length > 0 && name.length > 0);
        at += length;
      }
      assert.equal(next, at);
    }
  }
  assert.deepEqual(file.parts(0).parts.map(({ name }) => name.split(' ')[0]), ['magic', 'version', 'tensor', 'key']);
  const floats = all.findIndex(({ name, kind }) => kind === 'tensor data' && name === 'output_norm.weight');
  assert.equal(file.parts(floats, all[floats].offset, 1).parts[0].number, 'f32');
  const blocks = all.findIndex(({ name, kind }) => kind === 'tensor data' && name === 'token_embd.weight');
  assert.equal(file.parts(blocks, all[blocks].offset, 1).parts[0].number, undefined);
  assert.throws(() => file.parts(all.length), RangeError);
});

test('tensors become the floats that the command makes of them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ggufgate-'));
  const { file } = await gate.check(fromBytes(model(kModel)));
  for (const [index, { name, elements }] of file.tensors().entries()) {
    const output = path.join(folder, `${index}.f32`);
    assert.equal(run(['dequantize', kModel, name, '--output', output]).status, 0);
    const expected = new Uint8Array(readFileSync(output));
    const floats = await file.floats(index, 0, elements);
    assert.deepEqual(new Uint8Array(floats.buffer), expected, name);
    const some = await file.floats(index, 5, 40);  // from the middle of a block
    assert.deepEqual(some, floats.slice(5, 45));
    await assert.rejects(file.floats(index, elements - 1, 2), RangeError);
  }
  await assert.rejects(file.floats(1e6, 0, 1), RangeError);
  rmSync(folder, { recursive: true });
});

test('of a rejected file what was read', async () => {
  const { file } = await gate.check(fromBytes(model(kModel).subarray(0, 9000)));
  assert.equal(file.header.complete, false);
  assert.equal(file.keyCount, 30);
  assert.ok(file.tensorCount < 21);
  assert.equal(file.regions().at(-1).kind, 'not read');
});

test('hostile names are escaped', async () => {
  const name = '\u001b[31m<script>\u202egnp.exe\n';
  const report = await gate.check(fromBytes(with_(model(kModel), 77, '\u001b[2J\u202e'), name));
  const shown = report.text() + report.json() + JSON.stringify(report.file.keys());
  assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/.test(shown), JSON.stringify(shown.slice(0, 300)));
  assert.equal(report.path, '\\x1b[31m<script>\\u{202e}gnp.exe\\x0a');
});

test('what cannot be read is undecided, and says why', async () => {
  const bytes = model(kModel);
  const cases = [
    [() => bytes.subarray(0, 10), 'the file became shorter while it was read'],
    [() => Promise.reject(new Error('no luck\u001b')), 'no luck\\x1b'],
    [() => 'text', 'read() must return a Uint8Array'],
  ];
  for (const [read, why] of cases) {
    const report = await gate.check({ name: 'd', size: bytes.length, read });
    assert.equal(report.verdict, 'undecided');
    assert.equal(report.problem, why);
    assert.deepEqual(report.findings, []);
    assert.equal(report.file, null);
    assert.equal(report.text(), `undecided  d: ${why}\n`);
  }
});

test('a file that is another at the end is undecided, whatever was found', async () => {
  for (const name of [kModel, kCut]) {
    const source = fromBytes(model(name), 'e');
    const changed = () => {
      throw new Error('the file changed while it was read');
    };
    const report = await gate.check({ ...source, unchanged: changed });
    assert.equal(report.verdict, 'undecided');
    assert.deepEqual(report.findings, []);
  }
});

test('where memory ends, the verdict is undecided', async () => {
  // A file of a tebibyte with one key; the string claims 4 GiB. All bytes after its head are zeros.
  const size = 2 ** 40;
  const head = model(kModel).slice(0, 24);
  const view = new DataView(head.buffer);
  view.setBigUint64(8, 0n, true);
  view.setBigUint64(16, 1n, true);
  const key = new Uint8Array(24 + 8 + 1 + 4 + 8);
  key.set(head);
  const record = new DataView(key.buffer);
  record.setBigUint64(24, 1n, true);
  key[32] = 0x61;
  record.setUint32(33, 8, true);
  record.setBigUint64(37, 2n ** 32n, true);
  const read = (offset, length) => {
    const bytes = new Uint8Array(length);
    if (offset === 0) bytes.set(key);
    return bytes;
  };
  const bounded = await gate.check({ size, read });
  assert.equal(bounded.verdict, 'reject');  // by a limit, before the string is read
  const boundless = await gate.check({ size, read }, { profile: 'spec' });
  assert.equal(boundless.verdict, 'undecided');
  assert.match(boundless.problem, /out of memory/);
});

test('numbers beyond 2^53 are exact', async () => {
  const bytes = model(kModel);
  new DataView(bytes.buffer).setBigUint64(8, 2n ** 63n + 1n, true);
  const report = await gate.check(fromBytes(bytes));
  assert.equal(report.verdict, 'reject');
  assert.equal(report.file.header.tensor_count, 2n ** 63n + 1n);
  assert.deepEqual(parseExactly('{"a":"18446744073709551615","b":18446744073709551615,"c":0.12345678901234567,"d":[-9223372036854775808,9007199254740991]}'),
    { a: '18446744073709551615', b: 18446744073709551615n, c: 0.12345678901234567, d: [-9223372036854775808n, 9007199254740991] });
});

test('a wrong call throws', async () => {
  const source = fromBytes(model(kModel));
  for (const options of [{ profile: 'strict' }, { data: 'all' }, { failOn: 'off' }, { target: 'middle' }, { findingsPerRule: 0 },
    { findingsPerRule: 1001 }]) {
    await assert.rejects(gate.check(source, options), TypeError);
  }
  assert.equal((await gate.check(source, { findingsPerRule: 1000 })).verdict, 'accept');
  for (const wrong of [undefined, {}, { size: -1, read() {} }, { size: 2 ** 60, read() {} }, { size: 1 }]) {
    await assert.rejects(gate.check(wrong), TypeError);
  }
});

test('an abort ends it', async () => {
  const controller = new AbortController();
  const source = fromBytes(model(kModel));
  const read = (...range) => {
    controller.abort();
    return source.read(...range);
  };
  await assert.rejects(gate.check({ ...source, read }, { data: 'full', signal: controller.signal }), { name: 'AbortError' });
});

test('checks side by side do not meet', async () => {
  const reports = await Promise.all([kModel, kCut, kModel, kCut].map(async (name) => {
    const source = await fromPath(name);
    return gate.check({ ...source, read: async (...range) => source.read(...range) }).finally(source.close);
  }));
  assert.deepEqual(reports.map(({ verdict }) => verdict), ['accept', 'reject', 'accept', 'reject']);
});

test('the types name what there is', async () => {
  const text = readFileSync(new URL('../index.d.ts', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), Object.keys(await import('ggufgate')).sort());
  const report = await gate.check(fromBytes(model(kModel)));
  const methods = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
  for (const object of [report, report.file]) {
    for (const name of methods(object)) assert.match(text, new RegExp(`^  (?:readonly )?${name}[(:]`, 'm'), name);
  }
  for (const name of Object.keys(report)) assert.match(text, new RegExp(`^  readonly ${name}\\??:`, 'm'), name);
});
