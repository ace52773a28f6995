// Sources of bytes for `Gate.check()`.

const kShorter = 'the file became shorter while it was read';
const blobs = new WeakMap();  // by read function: a source with another function uses that one

function whole(bytes, length) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('read() must return a Uint8Array');
  if (bytes.length !== length) throw new Error(kShorter);
  return bytes;
}

/** The bytes from a source, if they match the request. */
export const readFully = async (source, offset, length) => whole(await source.read(offset, length), length);

/** Reads a source for one check: fill(into, offset) stores the bytes, end() finishes. */
export function readingOf(source) {
  const blob = blobs.get(source.read);
  if (blob) return new BlobReading(blob, source.read);
  return {
    fill: async (into, offset) => into.set(await readFully(source, offset, into.length)),
    end() {},
  };
}

/** Bytes in memory. */
export function fromBytes(bytes, name = '') {
  return { name, size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

const kSlice = 1 << 18;

/** Reads a blob for one check: from its first byte as a stream, with the next slice requested early. */
class BlobReading {
  #blob;
  #read;
  #stream = null;
  #next = 0;  // byte of the stream
  #slice = new ArrayBuffer(kSlice);

  constructor(blob, read) {
    this.#blob = blob;
    this.#read = read;
    try {
      this.#stream = blob.stream().getReader({ mode: 'byob' });
    } catch {
      // Without such a stream, the browser reads ranges.
    }
  }

  async fill(into, offset) {
    if (this.#stream && offset === this.#next) {
      try {
        return await this.#fillFromStream(into);
      } catch (error) {
        this.end();
        await this.#read(offset, 1);  // gives the reason, unlike a stream
        throw error;
      }
    }
    this.end();
    into.set(whole(await this.#read(offset, into.length), into.length));
  }

  async #fillFromStream(into) {
    for (let done = 0; done < into.length;) {
      const room = new Uint8Array(this.#slice, 0, Math.min(kSlice, into.length - done));
      const { value } = await this.#stream.read(room);
      if (!value?.length) throw new Error(kShorter);
      into.set(value, done);
      done += value.length;
      this.#next += value.length;
      this.#slice = value.buffer;
    }
  }

  end() {
    this.#stream?.cancel().catch(() => {});
    this.#stream = null;
  }
}

/** A Blob or File. Browsers refuse to read one that has changed. */
export function fromBlob(blob, name = blob.name ?? '') {
  const read = async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
  blobs.set(read, blob);
  return { name, size: blob.size, read };
}

// "bytes 0-65535/4112" in an answer with a range.
function partOf(response) {
  const part = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  return part && { begin: Number(part[1]), end: Number(part[2]) + 1, size: Number(part[3]) };
}

// The body of an answer with an announced `length`. Further bytes are not read, with any encoding.
async function bodyOf(response, length) {
  const bytes = new Uint8Array(length);
  const reader = response.body?.getReader();
  for (let done = 0; reader;) {
    const { done: ended, value } = await reader.read();
    if (ended) return bytes.subarray(0, done);
    if (value.length > length - done) {
      reader.cancel().catch(() => {});
      throw new Error('cannot read: the answer is longer than announced');
    }
    bytes.set(value, done);
    done += value.length;
  }
  return bytes.subarray(0, 0);
}

// A weak tag does not identify bytes.
function strongTag(response) {
  const tag = response.headers.get('etag');
  return tag && !tag.startsWith('W/') ? tag : null;
}

/**
 * A file at an address, read by ranges. Its size and its ETag (if the server sends one) are recorded; a later
 * change is an error. A server without ranges is an error.
 */
export async function fromUrl(url, { fetch: fetching = fetch, headers = {}, signal, name = String(url) } = {}) {
  const kFirst = 65536;
  let pinned = null;

  async function range(begin, end) {
    const response = await fetching(url, {
      headers: { ...headers, range: `bytes=${begin}-${end - 1}` },
      cache: 'no-store',
      signal,
    });
    const close = (why) => {
      response.body?.cancel().catch(() => {});
      return new Error(why);
    };
    if (response.status === 200) throw close('cannot read: the server does not support ranges');
    if (response.status !== 206) throw close(`cannot read: the server answers ${response.status}`);
    const part = partOf(response);
    if (!part || part.begin !== begin || part.end > end) {
      throw close('cannot read: the server sends another range');
    }
    const tag = strongTag(response);
    if (pinned && (part.size !== pinned.size || tag !== pinned.tag)) {
      throw close('the file changed while it was read');
    }
    if (part.end <= begin) throw close('cannot read: the server sends another range');
    const bytes = await bodyOf(response, part.end - begin);
    if (bytes.length !== part.end - begin || part.end !== Math.min(end, part.size)) {
      throw new Error('cannot read: the answer is shorter than announced');
    }
    return { bytes, size: part.size, tag };
  }

  const first = await range(0, kFirst);
  pinned = { size: first.size, tag: first.tag };
  return {
    name,
    size: pinned.size,
    etag: pinned.tag,
    async read(offset, length) {
      if (offset + length <= first.bytes.length) return first.bytes.subarray(offset, offset + length);
      return (await range(offset, offset + length)).bytes;
    },
  };
}
