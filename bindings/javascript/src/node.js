// The same for Node, with files of the system.

import { open, readFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { identityOf } from './identity.js';
import { Gate as AnyGate } from './index.js';

export * from './index.js';

export class Gate extends AnyGate {
  static async load(wasm = new URL('../ggufgate.wasm', import.meta.url)) {
    const local = wasm instanceof URL && wasm.protocol === 'file:';
    return AnyGate.load(local ? await readFile(wasm) : wasm);
  }
}

/** A regular file by its path. It stays open until close(). */
export async function fromPath(path) {
  // A pipe without a writer would block.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) throw new Error('not a regular file');
    const identity = identityOf(status);
    return {
      name: path instanceof Uint8Array ? path : String(path),
      size: Number(status.size),
      identity,
      async read(offset, length) {
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length;) {
          const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
          if (bytesRead === 0) return bytes.subarray(0, done);
          done += bytesRead;
        }
        return bytes;
      },
      async unchanged() {
        const now = identityOf(await handle.stat({ bigint: true }));
        if (Object.keys(now).some((field) => now[field] !== identity[field])) {
          throw new Error('the file changed while it was read');
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
