// Selects the files of a dropped folder like the command: those named *.gguf, and those that begin with
// the magic.

import {count, escaped} from "./dom.js";
import {fileSource} from "./sources.js";

const DEEPEST = 64;
const MOST_NAMES = 10_000;

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

// A browser returns the names of a folder in parts, and an empty part at the end.
async function namesIn(folder) {
  const reader = folder.createReader();
  const all = [];
  while (all.length <= MOST_NAMES) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}

// An unreadable file counts as a model, so that its verdict appears.
const beginsWithMagic = (file) => file.slice(0, 4).text().then((text) => text === "GGUF", () => true);

// filesIn(entries) returns {sources, notes}: the files by path, and sentences about files that are left out.
export async function filesIn(entries) {
  const sources = [];
  const notes = [];
  const waiting = entries.map((entry) => ({entry, depth: 0}));
  let names = 0;
  let passed = 0;
  while (waiting.length > 0) {
    const {entry, depth} = waiting.pop();
    const path = escaped(entry.fullPath.slice(1));
    try {
      if (!entry.isDirectory) {
        const file = await fileOf(entry);
        const wanted = depth === 0 || /.\.gguf$/i.test(file.name) || await beginsWithMagic(file);
        if (wanted) sources.push(fileSource(file, entry.fullPath.slice(1)));
        else ++passed;
      } else if (depth === DEEPEST) {
        notes.push(`${path} was not searched: folders are nested more than ${DEEPEST} deep.`);
      } else {
        const inside = await namesIn(entry);
        names += inside.length;
        if (names > MOST_NAMES) {
          notes.push(`The search stopped in ${path}, after more than ${count(MOST_NAMES, "name")}; the other files were not checked.`);
          break;
        }
        waiting.push(...inside.map((each) => ({entry: each, depth: depth + 1})));
      }
    } catch {
      notes.push(`${path} could not be read and was not checked.`);
    }
  }
  sources.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (passed > 0) notes.push(`${count(passed, "other file was", "other files were")} skipped: not GGUF by name or content.`);
  return {sources, notes};
}
