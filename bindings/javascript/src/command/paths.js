// Paths are strings with a character for each byte, as the system has them: names of files are bytes, and
// sorted as such.

export const fromArgument = (argument) => Buffer.from(argument).toString('latin1');
export const bytesOf = (path) => Buffer.from(path, 'latin1');

const kErrors = /^([A-Z0-9]+): (.*?)(?:, \w+.*)?$/s;

/** "ENOENT: no such file or directory, open 'x'" as the C library says it. */
export function reasonOf(error, doing) {
  const words = kErrors.exec(error.message)?.[2];
  return words ? `${doing}: ${words[0].toUpperCase()}${words.slice(1)}` : error.message;
}

export const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
export const nameIn = (path) => path.slice(path.lastIndexOf('/') + 1);
