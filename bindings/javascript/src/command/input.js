// The source of bytes for a path: a file, standard input, or no source.

import { fstatSync, read, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { identityOf } from '../identity.js';
import { fromPath } from '../node.js';
import { bytesOf, reasonOf } from './paths.js';

const kMostPiped = 2 ** 30;  // limit for pipes, which are kept in memory
const readAt = promisify(read);

/** The offset of a file on standard input; 0 if unknown. */
function alreadyRead() {
  try {
    return Number(/^pos:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function redirected(status) {
  const begun = alreadyRead();
  if (begun !== 0) {
    throw new Error(`standard input is a file that was already read up to byte ${begun.toLocaleString('en-US')}; ` +
      "give the file's name, or pipe the rest of it");
  }
  const identity = identityOf(status);
  return {
    name: '-',
    size: Number(status.size),
    identity,
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        const { bytesRead } = await readAt(0, bytes, done, length - done, offset + done);
        if (bytesRead === 0) return bytes.subarray(0, done);
        done += bytesRead;
      }
      return bytes;
    },
    unchanged() {
      const now = identityOf(fstatSync(0, { bigint: true }));
      if (Object.keys(now).some((field) => now[field] !== identity[field])) {
        throw new Error('the file changed while it was read');
      }
    },
  };
}

async function piped(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > kMostPiped) {
      throw new Error(`standard input is a pipe of more than ${kMostPiped.toLocaleString('en-US')} bytes; give the file's ` +
        'name, redirect it with <, or use the compiled ggufgate, which checks a pipe as a stream');
    }
  }
  const bytes = Buffer.concat(chunks);
  return { name: '-', size, read: (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)) };
}

async function standardInput(stream) {
  const status = fstatSync(0, { bigint: true });
  if (status.isDirectory()) throw new Error('cannot read standard input: Is a directory');
  return status.isFile() ? redirected(status) : piped(stream);
}

/** An empty source, for the report on a file that cannot be opened. */
export function unreadable(path, why) {
  return {
    name: bytesOf(path),
    size: 0,
    read: () => new Uint8Array(),
    unchanged: () => {
      throw new Error(why);
    },
  };
}

/** The source for a path; never throws. */
export async function sourceOf(path, stdin) {
  if (/^(https?|hf):\/\//.test(path)) {
    return unreadable(path, 'addresses are the compiled ggufgate\'s: they are not fetched here; download the file');
  }
  try {
    return await (path === '-' ? standardInput(stdin) : fromPath(bytesOf(path)));
  } catch (error) {
    return unreadable(path, reasonOf(error, path === '-' ? 'cannot read standard input' : 'cannot open'));
  }
}
