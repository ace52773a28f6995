// One instance of the module: one file. The other side is src/api/wasm.

// The system calls for the last message of the C library.
const kBadDescriptor = 8;
const kImports = {
  wasi_snapshot_preview1: {
    fd_close: () => kBadDescriptor,
    fd_seek: () => kBadDescriptor,
    fd_write: () => kBadDescriptor,
  },
};

/** A number if it is exact, else a BigInt. */
export function exact(number) {
  return number <= Number.MAX_SAFE_INTEGER && number >= Number.MIN_SAFE_INTEGER ? Number(number) : number;
}

// Strings first, so that digits inside them are skipped.
const kTokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const kMark = '\u0000big:';  // the module escapes control characters, so no text of a file contains this

/** JSON.parse(), with large integers as BigInts. */
export function parseExactly(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const marked = text.replace(kTokens, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? JSON.stringify(kMark + token) : token);
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(kMark) ? BigInt(value.slice(kMark.length)) : value);
}

export class Instance {
  constructor(module) {
    this.wasm = new WebAssembly.Instance(module, kImports).exports;
    this.wasm._initialize();
  }

  /** Touches memory of this size now, because systems allocate pages at the first write. */
  reserve(size) {
    const pointer = this.wasm.gate_allocate(size);
    this.bytes(pointer, size).fill(0);
    this.wasm.gate_release(pointer);
  }

  /** Bytes of the memory of the module; invalid after it grows. */
  bytes(pointer, size) {
    return new Uint8Array(this.wasm.memory.buffer, pointer, size);
  }

  /** The text that a function of the module returned. */
  text(size) {
    return new TextDecoder().decode(this.bytes(this.wasm.gate_text(), size));
  }

  json(size) {
    return parseExactly(this.text(size));
  }

  /** Calls `work` with the place and size of each text in the module's memory. */
  withTexts(texts, work) {
    const places = texts.map((text) => {
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      const pointer = this.wasm.gate_allocate(Math.max(bytes.length, 1));
      this.bytes(pointer, bytes.length).set(bytes);
      return [pointer, bytes.length];
    });
    try {
      return work(...places.flat());
    } finally {
      for (const [pointer] of places) this.wasm.gate_release(pointer);
    }
  }
}
