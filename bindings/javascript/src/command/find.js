// Finds the files for a list of paths: src/gate/find_files.h in JavaScript. Folders are searched recursively
// for files that begin with the magic and for files named *.gguf. Links to files are followed, links to
// folders are not.

import { closeSync, constants, fstatSync, lstatSync, openSync, opendirSync, readSync, readdirSync, statSync } from 'node:fs';
import { bytesOf, nameIn, reasonOf } from './paths.js';

const kDeepest = 64;
const kMostNames = 1_000_000;
const kMostListed = 1000;
const kNone = ['ENOENT', 'ELOOP', 'ENXIO'];  // the name has no file; any other error may hide a model

const isNamedGguf = (name) => /[^]\.gguf$/i.test(name);
const isNamedLikeABlob = (name) => /^sha256[-:]/.test(name);

/** The attributes of a path; null if no file can be opened. */
function statusOf(path, follow) {
  try {
    return (follow ? statSync : lstatSync)(bytesOf(path));
  } catch (error) {
    if (kNone.includes(error.code)) return null;
    throw error;
  }
}

function beginsWithMagic(path) {
  let file;
  try {
    // The path may be a pipe without a writer.
    file = openSync(bytesOf(path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (kNone.includes(error.code)) return false;
    throw error;
  }
  try {
    if (!fstatSync(file).isFile()) return false;
    const head = Buffer.alloc(4);
    return readSync(file, head, 0, 4, 0) === 4 && head.toString('latin1') === 'GGUF';
  } finally {
    closeSync(file);
  }
}

/** The kind of store in a folder, if it is a model store, whose file names have no meaning. */
function storeOf(folder) {
  const has = (name) => statusOf(`${folder}/${name}`, false)?.isDirectory() ?? false;
  if (/^(models|datasets|spaces)--/.test(nameIn(folder.replace(/\/+$/, ''))) && has('snapshots')) return 'Hugging Face';
  if (!has('blobs')) return null;
  if (has('manifests/registry.ollama.ai')) return 'Ollama';
  const names = has('manifests') || has('manifests-v2') ? readdirSync(bytesOf(`${folder}/blobs`), 'latin1') : [];
  return names.some(isNamedLikeABlob) ? 'Ollama' : null;
}

class Search {
  #found;
  #inside = [];
  #names = 0;
  #levels = [];

  constructor(found) {
    this.#found = found;
  }

  through(folder) {
    this.#enter(folder);
    while (this.#levels.length > 0) {
      const { path, names } = this.#levels.at(-1);
      const entry = this.#next(path, names);
      if (entry === null) {
        names.closeSync();
        this.#levels.pop();
      } else if (++this.#names > kMostNames) {
        this.#problem(path, `its search was stopped at ${kMostNames} names; check the folders in it one by one`);
        for (const level of this.#levels.splice(0)) level.names.closeSync();
      } else {
        this.#take(path.endsWith('/') ? path + entry : `${path}/${entry}`, entry);
      }
    }
    for (const path of this.#inside.sort((a, b) => (a < b ? -1 : 1))) this.#found.files.push({ path, searched: true });
  }

  #next(path, names) {
    try {
      return names.readSync()?.name.toString('latin1') ?? null;
    } catch (error) {
      this.#problem(path, reasonOf(error, 'cannot search the folder'));
      return null;
    }
  }

  #enter(path) {
    if (this.#levels.length === kDeepest) {
      this.#problem(path, `it is not searched: folders are nested more than ${kDeepest} deep`);
      return;
    }
    try {
      const store = storeOf(path);
      if (store) {
        this.#problem(path, `it is a store of ${store}'s, whose models the compiled ggufgate judges by their names`);
        return;
      }
      this.#levels.push({ path, names: opendirSync(bytesOf(path), { encoding: 'buffer' }) });
    } catch (error) {
      this.#problem(path, reasonOf(error, 'cannot search the folder'));
    }
  }

  #take(path, name) {
    try {
      if (statusOf(path, false)?.isDirectory()) return this.#enter(path);
      if (statusOf(path, true)?.isDirectory()) return this.#skip(path, 'a link to a folder', name);
      if (isNamedGguf(name)) return this.#inside.push(path);
      return beginsWithMagic(path) ? this.#inside.push(path) : this.#skip(path, 'it does not begin with GGUF', name);
    } catch (error) {
      // Its name selects it; the verdict reports the rest.
      if (isNamedGguf(name)) return this.#inside.push(path);
      return this.#problem(path, reasonOf(error, error.syscall?.endsWith('stat') ? 'cannot examine it' : 'cannot find out whether it is a model'));
    }
  }

  #skip(path, why, name) {
    const { skipped } = this.#found;
    ++this.#found.skippedCount;
    const suspicious = isNamedLikeABlob(name);
    if (skipped.length >= kMostListed) {
      if (!suspicious || skipped.at(-1).suspicious) return;
      skipped.pop();
    }
    const place = suspicious ? skipped.findIndex((each) => !each.suspicious) : -1;
    skipped.splice(place < 0 ? skipped.length : place, 0, { path, why, suspicious });
  }

  #problem(path, why) {
    this.#found.problems.push({ path, why });
  }
}

function isFolder(path) {
  try {
    return path !== '-' && statSync(bytesOf(path)).isDirectory();
  } catch {
    return false;  // its verdict has the reason
  }
}

/** Returns { files: [{ path, searched }], problems: [{ path, why }], skipped, skippedCount }. */
export function findFiles(paths) {
  const found = { files: [], problems: [], skipped: [], skippedCount: 0 };
  for (const path of paths) {
    if (isFolder(path)) new Search(found).through(path);
    else found.files.push({ path, searched: false });
  }
  return found;
}
