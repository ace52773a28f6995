// Sources of bytes: what `Gate.check()` reads.

/** What a source gives, if it is what was asked for. */
export async function readFully(source, offset, length) {
  const bytes = await source.read(offset, length);
  if (!(bytes instanceof Uint8Array)) throw new TypeError('read() gives a Uint8Array');
  if (bytes.length !== length) throw new Error('the file became shorter while it was read');
  return bytes;
}

/** Bytes in memory. */
export function fromBytes(bytes, name = '') {
  return { name, size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** A Blob or File. One that changes meanwhile cannot be read, says the browser. */
export function fromBlob(blob, name = blob.name ?? '') {
  return {
    name,
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

// "bytes 0-65535/4112" of an answer with a part of a file.
function partOf(response) {
  const part = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  return part && { begin: Number(part[1]), end: Number(part[2]) + 1, size: Number(part[3]) };
}

// The body of an answer, of which `length` bytes were announced: one that goes on is not listened to, however the
// server packed it.
async function bodyOf(response, length) {
  const bytes = new Uint8Array(length);
  const reader = response.body?.getReader();
  for (let done = 0; reader;) {
    const { done: ended, value } = await reader.read();
    if (ended) return bytes.subarray(0, done);
    if (value.length > length - done) {
      reader.cancel().catch(() => {});
      throw new Error('cannot read: the answer is longer than it says');
    }
    bytes.set(value, done);
    done += value.length;
  }
  return bytes.subarray(0, 0);
}

// A weak tag promises nothing of single bytes.
function strongTag(response) {
  const tag = response.headers.get('etag');
  return tag && !tag.startsWith('W/') ? tag : null;
}

/**
 * A file at an address, read by ranges. Its size and, where the server sends one, its ETag are pinned: if
 * either is another later, reading fails. A server that does not know ranges is an error.
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
    if (response.status === 200) throw close('cannot read: the server does not answer with ranges of the file');
    if (response.status !== 206) throw close(`cannot read: the server says ${response.status}`);
    const part = partOf(response);
    if (!part || part.begin !== begin || part.end > end) {
      throw close('cannot read: the server answers with another range');
    }
    const tag = strongTag(response);
    if (pinned && (part.size !== pinned.size || tag !== pinned.tag)) {
      throw close('the file changed while it was read');
    }
    if (part.end <= begin) throw close('cannot read: the server answers with another range');
    const bytes = await bodyOf(response, part.end - begin);
    if (bytes.length !== part.end - begin || part.end !== Math.min(end, part.size)) {
      throw new Error('cannot read: the answer is shorter than it says');
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
