// Paths are strings with one character per byte: file names are bytes and are sorted as bytes.

export const fromArgument = (argument) => Buffer.from(argument).toString('latin1');
export const bytesOf = (path) => Buffer.from(path, 'latin1');

const kErrors = /^([A-Z0-9]+): (.*?)(?:, \w+.*)?$/s;

/** "ENOENT: no such file or directory, open 'x'" with the message of the C library. */
export function reasonOf(error, doing) {
  const words = kErrors.exec(error.message)?.[2];
  return words ? `${doing}: ${words[0].toUpperCase()}${words.slice(1)}` : error.message;
}

export const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
export const nameIn = (path) => path.slice(path.lastIndexOf('/') + 1);
