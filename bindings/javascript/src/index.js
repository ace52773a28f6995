// The gate for JavaScript: checks if a GGUF file is safe to load, and if not, which byte is wrong.
//
//   const gate = await Gate.load();
//   const report = await gate.check({ name, size, read(offset, length) {…} }, { profile: 'llama.cpp' });
//   report.verdict;                        // 'accept', 'reject' or 'undecided'
//   report.findings[0];                    // as in `ggufgate check --format json`: docs/formats.md
//   report.file.keys(0, 100);              // and tensors(), regions(), elements(key, first, count)
//
// A source of bytes has `size`, and `read(offset, length)` that returns exactly these bytes as a Uint8Array
// or a promise. It is called for the front of the file and for the later ranges that the rules need; the
// whole file is never in memory. fromBlob() and fromUrl() make sources.

import { Instance, exact } from './instance.js';
import { Report } from './report.js';
import { readingOf } from './sources.js';

export { fromBlob, fromBytes, fromUrl } from './sources.js';
export { Report } from './report.js';

export const profiles = Object.freeze(['gate', 'llama.cpp', 'spec', 'diffusion']);
const kData = ['none', 'scales', 'full'];
const kSeverities = ['off', 'note', 'warning', 'error'];
const kTargets = ['little', 'big', 'any'];

const kDone = 0;
const kWants = 1;
const kMostFindingsPerRule = 1000;  // as in policies: findings take memory

/** The number of a word; -1 if it is unknown. */
function numberOf(what, words, word) {
  if (word === undefined) return -1;
  const number = words.indexOf(word);
  if (number < 0) throw new TypeError(`${what} must be one of ${words.join(', ')}`);
  return number;
}

function policyNumbers({ profile = 'gate', data, failOn, target, findingsPerRule }) {
  if (failOn === 'off') throw new TypeError('failOn must be one of note, warning, error');
  if (findingsPerRule !== undefined &&
      !(Number.isInteger(findingsPerRule) && findingsPerRule > 0 && findingsPerRule <= kMostFindingsPerRule)) {
    throw new TypeError(`findingsPerRule must be a whole number from 1 to ${kMostFindingsPerRule}`);
  }
  return [
    numberOf('profile', profiles, profile),
    numberOf('data', kData, data),
    numberOf('failOn', kSeverities, failOn),
    numberOf('target', kTargets, target),
    findingsPerRule ?? 0,
  ];
}

/** Checks range by range; returns the reason of a failure. */
async function judge(instance, reading, size, { signal, onProgress }) {
  const { wasm } = instance;
  let read = 0;
  let state = wasm.gate_step();
  while (state === kWants) {
    signal?.throwIfAborted();
    const length = wasm.gate_wanted_size();
    // No calls of the module here, so its memory does not move.
    await reading.fill(instance.bytes(wasm.gate_room(), length), exact(wasm.gate_wanted_offset()));
    read += length;
    onProgress?.(read, size);
    state = wasm.gate_step();
  }
  return state === kDone;
}

// Each browser has its own message.
const kOfFiles = {
  NotFoundError: 'the file is not there any more',
  NotReadableError: 'the file cannot be read, or has changed since it was chosen',
};

function problemOf(error) {
  if (Object.hasOwn(kOfFiles, error?.name ?? '')) return kOfFiles[error.name];
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return 'the check could not be ended: out of memory, or a fault of its own';
  }
  return error instanceof Error ? error.message : String(error);
}

// Enough for the header of most models: its bytes, and the data of the rules.
const kReserved = 11 << 20;

export class Gate {
  #module;
  #ready = null;

  constructor(module) {
    this.#module = module;
  }

  /** Loads the module next to this file, or a given one (an address, a response, bytes, a module). */
  static async load(wasm = new URL('../ggufgate.wasm', import.meta.url)) {
    if (wasm instanceof WebAssembly.Module) return new Gate(wasm);
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return new Gate(await WebAssembly.compile(wasm));
    const response = await (typeof Response === 'function' && wasm instanceof Response ? wasm : fetch(wasm));
    if (!response.ok) throw new Error(`the module could not be loaded: ${response.status}`);
    // Not compileStreaming(), which needs a content type that many servers do not send.
    return new Gate(await WebAssembly.compile(await response.arrayBuffer()));
  }

  /** Prepares an instance for the next file, which saves some milliseconds. */
  prepare() {
    if (this.#ready) return;
    const instance = new Instance(this.#module);
    instance.reserve(kReserved);
    this.#ready = instance;
  }

  /** Checks one file. Any bytes give a report; only wrong calls and aborts throw. */
  async check(source, options = {}) {
    if (!Number.isSafeInteger(source?.size) || source.size < 0 || typeof source.read !== 'function') {
      throw new TypeError('a source needs size and read(offset, length)');
    }
    const policy = policyNumbers(options);
    const begin = performance.now();
    const reading = readingOf(source);
    let instance;
    let problem = null;
    try {
      instance = this.#begin(source, policy, options);
      if (await judge(instance, reading, source.size, options)) await source.unchanged?.();
    } catch (error) {
      if (!instance || options.signal?.aborted) throw error;
      problem = problemOf(error);
    } finally {
      reading.end();
    }
    const elapsed = performance.now() - begin;
    if (problem === null) return this.#report(instance, source, elapsed, true);
    // After a fault the instance is unusable.
    const blank = this.#begin(source, policy, options);
    blank.withTexts([problem], (...place) => blank.wasm.gate_set_undecided(...place));
    return this.#report(blank, source, elapsed, false);
  }

  #begin(source, policy, options) {
    const instance = this.#ready ?? new Instance(this.#module);
    this.#ready = null;
    instance.wasm.gate_begin(BigInt(source.size), ...policy);
    const name = options.name ?? source.name ?? '';
    instance.withTexts([name], (...place) => instance.wasm.gate_set_path(...place));
    const { device = 0, inode = 0, modifiedNs = 0, changedNs = 0 } = source.identity ?? {};
    instance.wasm.gate_set_identity(BigInt(device), BigInt(inode), BigInt(modifiedNs), BigInt(changedNs));
    return instance;
  }

  #report(instance, source, elapsed, opens) {
    instance.wasm.gate_set_elapsed(BigInt(Math.round(elapsed * 1e6)));
    return new Report(instance, source, opens);
  }
}
