// Runs models in a build of llama.cpp for WebAssembly, the npm package @wllama/wllama.
//
// usage: node wasm_build.mjs PACKAGE    reads paths from standard input, one per line, and prints
//                                       "OUTCOME<tab>REASON" for each: runs, refuses, crashes, hangs
//
// The package is made for browsers. Node.js needs its worker, and the compiled module is shared by
// all models, because each model gets a new worker. Needs Node.js 26 or later (64-bit memories).

import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';

const PATIENCE = 20_000; // milliseconds per model
const SECONDS_TO_END = 2_000;
const HOME = 'https://localhost/'; // addresses are built, and never fetched

const folder = resolve(process.argv[2] ?? '.');
const compiled = await WebAssembly.compile(readFileSync(`${folder}/esm/wasm/wllama.wasm`));

// What a worker of a browser has.
const PRELUDE = `
const { parentPort, workerData } = require('node:worker_threads');
globalThis.self = globalThis;
globalThis.postMessage = (data, moved) => parentPort.postMessage(data, moved);
globalThis.WorkerGlobalScope = class {};
globalThis.WorkerNavigator = class {};
globalThis.location = { href: '${HOME}' };
delete globalThis.process;
WebAssembly.instantiateStreaming = async (response, imports) => {
  Promise.resolve(response).catch(() => {});
  return { instance: await WebAssembly.instantiate(workerData, imports), module: workerData };
};
parentPort.on('message', (data) => globalThis.onmessage({ data }));
`;

globalThis.self = globalThis;
globalThis.location = { href: HOME };
globalThis.Worker = class {
  constructor(url) {
    this.thread = fetch(url)
      .then((answer) => answer.text())
      .then((code) => {
        const text = PRELUDE + code.replace(/^onmessage = /m, 'globalThis.onmessage = ');
        const thread = new Thread(text, { eval: true, workerData: compiled });
        thread.on('message', (data) => this.onmessage?.({ data }));
        thread.on('error', (error) => this.onerror?.(error));
        return thread;
      });
  }
  postMessage(data, moved) {
    this.thread.then((thread) => thread.postMessage(data, moved));
  }
  terminate() {
    return this.thread.then((thread) => thread.terminate());
  }
};

const { Wllama, WllamaRuntimeError } = await import(pathToFileURL(`${folder}/esm/index.js`));

const within = (milliseconds, promise) =>
  Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(() => reject(new Error('hangs')), milliseconds)),
  ]);

// Decodes a prompt and a token, or makes an embedding, in a new worker.
async function use(bytes, embeddings, said) {
  const note = (...words) => said.push(words.map((word) => String(word?.message ?? word)).join(' '));
  const quiet = () => {};
  const llama = new Wllama(
    { default: `${HOME}wllama.wasm` },
    { cacheManager: {}, modelManager: {}, logger: { debug: quiet, warn: quiet, log: note, error: note } },
  );
  try {
    const settings = { n_gpu_layers: 0, n_threads: 1, n_ctx: 64, n_parallel: 1, warmup: false };
    await llama.loadModel([new Blob([bytes])], { ...settings, embeddings, log_level: 4 });
    if (embeddings) await llama.createEmbedding({ input: 'a b' });
    else await llama.createCompletion({ prompt: 'a b', max_tokens: 2 });
  } finally {
    await within(SECONDS_TO_END, llama.exit()).catch(quiet);
  }
}

const TOKENS_ARE_NO_TEXT = /json\.exception\.type_error\.316/; // it decoded, and the text is not UTF-8
const EMBEDS_ONLY = /does not support logits|does not support completions/;
const REFUSAL = /error loading model|failed to load model/;
// An exception of the library: the caller finds its own request instead of an answer.
const NO_ANSWER = /Invalid typed array length/;

// Returns the outcome of one attempt, from the error and the lines of the log.
function judged(error, said) {
  const text = [error?.message ?? String(error), ...said].join('\n');
  const assertion = said.find((line) => /GGML_ASSERT|GGML_ABORT/.test(line));
  if (error?.message === 'hangs') return ['hangs', ''];
  if (assertion !== undefined) return ['crashes', assertion];
  if (TOKENS_ARE_NO_TEXT.test(text)) return ['runs', ''];
  const refusal = said.find((line) => REFUSAL.test(line));
  if (refusal !== undefined) return ['refuses', refusal];
  if (error instanceof WllamaRuntimeError && !NO_ANSWER.test(error.message)) {
    return ['crashes', error.message];
  }
  return [EMBEDS_ONLY.test(text) ? 'embeds' : 'refuses', said.at(-1) ?? ''];
}

async function outcomeOf(path) {
  const bytes = readFileSync(path);
  let found = ['refuses', ''];
  for (const embeddings of [false, true]) {
    const said = [];
    try {
      await within(PATIENCE, use(bytes, embeddings, said));
      return ['runs', ''];
    } catch (error) {
      found = judged(error, said);
      if (found[0] !== 'embeds') return found;
    }
  }
  return ['refuses', found[1]];
}

for await (const path of createInterface({ input: process.stdin })) {
  const [outcome, reason] = await outcomeOf(path);
  console.log(`${outcome}\t${reason.replace(/\s+/g, ' ').slice(0, 200)}`);
}
process.exit(0);
