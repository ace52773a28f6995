// Remote files: ranges of one version.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Gate, fromUrl } from 'ggufgate';
import { corpus } from './expected.js';

const kBytes = readFileSync(`${corpus}/valid/sample-llama.gguf`);
let gate, server, address;
let behave = () => ({});  // changes of the answer to request number n
let requests = [];

// Sends megabytes as fast as the client reads them.
function goOn(response, megabytes) {
  if (megabytes === 0 || response.destroyed) return response.end();
  response.write(Buffer.alloc(1 << 20), () => goOn(response, megabytes - 1));
}

function answer(request, response) {
  const [, begin, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
  requests.push([Number(begin), Number(last) + 1]);
  const { bytes = kBytes, status = 206, etag = '"one"', range, cut, endless } = behave(requests.length);
  const end = Math.min(Number(last) + 1, bytes.length);
  const body = status === 206 ? bytes.subarray(Number(begin), end) : bytes;
  response.writeHead(status, {
    ...(etag ? { etag } : {}),
    ...(status === 206 ? { 'content-range': range ?? `bytes ${begin}-${end - 1}/${bytes.length}` } : {}),
  });
  if (endless) return goOn(response, 1 << 10);
  response.end(cut ? body.subarray(1) : body);
}

before(async () => {
  gate = await Gate.load();
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${server.address().port}/model.gguf`;
});
after(() => server.close());

async function check(behaviour, options) {
  behave = behaviour;
  requests = [];
  return gate.check(await fromUrl(address), options);
}

test('only ranges are fetched', async () => {
  const report = await check(() => ({}));
  assert.equal(report.verdict, 'accept');
  assert.equal(report.path, address);
  assert.deepEqual(requests[0], [0, 65536]);
  const fetched = requests.reduce((sum, [begin, end]) => sum + end - begin, 0);
  assert.ok(fetched < 100000, `${fetched}`);
  assert.equal((await check(() => ({}), { data: 'full' })).verdict, 'accept');
});

test('a server without ranges is an error', async () => {
  await assert.rejects(check(() => ({ status: 200 })), /does not support ranges/);
});
test('a server that fails is an error', async () => {
  await assert.rejects(check(() => ({ status: 404 })), /the server answers 404/);
});
test('another range than the one asked for is an error', async () => {
  await assert.rejects(check(() => ({ range: 'bytes 1-65536/134464' })), /another range/);
  await assert.rejects(check(() => ({ range: 'bytes */134464' })), /another range/);
});
test('less than it says is an error', async () => {
  await assert.rejects(check(() => ({ cut: true })), /shorter than announced/);
});

test('more than it says is not listened to', async () => {
  await assert.rejects(check(() => ({ endless: true })), /longer than announced/);
});

const later = (what) => (n) => (n > 1 ? what : {});
test('another tag, another size and no tag are another file', async () => {
  for (const what of [{ etag: '"two"' }, { etag: null }, { bytes: Buffer.concat([kBytes, Buffer.alloc(1)]) }]) {
    const report = await check(later(what), { data: 'full' });
    assert.equal(report.verdict, 'undecided');
    assert.equal(report.problem, 'the file changed while it was read');
  }
});
test('a weak tag pins nothing', async () => {
  const report = await check((n) => ({ etag: `W/"${n}"` }), { data: 'full' });
  assert.equal(report.verdict, 'accept');
});
