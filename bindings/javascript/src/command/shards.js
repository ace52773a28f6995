// Checks the shards of one model together, after each file alone: src/gate/shard_sets.h in JavaScript. A set
// consists of files in one folder whose names differ only in the number. It is checked if a folder search found
// one of them, or if two shards or the first one were named.

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { bytesOf, folderOf, nameIn } from './paths.js';

const kName = /^([^]*)-(\d{5})-of-(\d{5})\.gguf$/;
const kMostShards = '65535';  // of five digits

const kMostLookedFor = 1_000_000;  // shards of all sets together

/** The shard in a file name; `possible`: such a shard can exist. Null for other names. */
function numbersIn(file) {
  const [, stem, number, count] = kName.exec(nameIn(file.path)) ?? [];
  if (stem === undefined) return null;
  const possible = number !== '00000' && number <= count && count <= kMostShards;
  return { stem, number: Number(number), count: Number(count), possible };
}

function shardOf(file) {
  const shard = numbersIn(file);
  if (!shard?.possible) return null;
  return { ...shard, folder: path.posix.normalize(`${folderOf(file.path) || './'}.`) };
}

function isThere(path) {
  try {
    lstatSync(bytesOf(path));
    return true;
  } catch (error) {
    return error.code !== 'ENOENT' && error.code !== 'ENOTDIR';  // its verdict has the reason
  }
}

/** Adds the other shards in the folder of each named first shard: src/gate/shards_beside.h. */
export function findShardsBeside(found) {
  const placeOf = ({ folder }, name) => JSON.stringify([folder, name]);
  const places = new Set();
  for (const file of found.files) {
    const shard = shardOf(file);
    if (shard) places.add(placeOf(shard, nameIn(file.path)));
  }
  let left = kMostLookedFor;
  found.files = found.files.flatMap((file) => {
    const shard = shardOf(file);
    if (file.searched || shard?.number !== 1 || shard.count === 1) return [file];
    if (shard.count > left) {
      found.problems.push({ path: file.path, why: 'the other shards of its set were not searched: there are too many' });
      return [file];
    }
    left -= shard.count;
    const all = [{ path: file.path, searched: true }];
    const digits = (number) => String(number).padStart(5, '0');
    for (let number = 2; number <= shard.count; ++number) {
      const name = `${shard.stem}-${digits(number)}-of-${digits(shard.count)}.gguf`;
      const path = folderOf(file.path) + name;
      if (places.has(placeOf(shard, name)) || !isThere(path)) continue;
      places.add(placeOf(shard, name));
      all.push({ path, searched: true });
    }
    return all;
  });
}

/** Passes reports on in file order, those of a set when it is complete. */
export class ShardSets {
  #files;
  #take;
  #sets = new Map();  // by the index of a file
  #waiting = [];      // from file #first
  #first = 0;

  constructor(files, take) {
    this.#files = files;
    this.#take = take;
    const groups = new Map();
    files.forEach((file, index) => {
      const shard = shardOf(file);
      if (!shard) return;
      const key = JSON.stringify([shard.folder, shard.stem, shard.count]);
      if (!groups.has(key)) groups.set(key, { ...shard, files: [] });
      groups.get(key).files.push({ index, name: nameIn(file.path), number: shard.number });
    });
    for (const set of groups.values()) {
      const named = new Set(set.files.map(({ name }) => name));
      set.alone = named.size < 2 && !set.files.some(({ index }) => files[index].searched);
      set.missing = set.files.length;
      for (const { index } of set.files) this.#sets.set(index, set);
    }
  }

  add(report) {
    const index = this.#first + this.#waiting.length;
    const set = this.#sets.get(index);
    this.#waiting.push(report);
    if (!set) {
      report.judgedAlone();
      const named = numbersIn(this.#files[index]);
      if (named && report.verdict !== 'undecided') report.judgeImpossibleName(named);
    }
    if (set && --set.missing === 0) this.#judge(set);
    while (this.#waiting.length > 0 && !(this.#sets.get(this.#first)?.missing > 0)) {
      ++this.#first;
      this.#take(this.#waiting.shift());
    }
  }

  #judge({ stem, count, files, alone }) {
    const reportOf = ({ index }) => this.#waiting[index - this.#first];
    let undecided = null;
    const members = files.map((file) => {
      const report = reportOf(file);
      if (report.verdict === 'undecided') undecided = file.name;
      return { report, name: bytesOf(file.name), number: file.number, facts: report.shardFacts(), unsound: report.verdict !== 'accept' };
    }).sort((a, b) => a.number - b.number);
    for (const { report, name, unsound } of members) {
      report.judgeInSet({ stem: bytesOf(stem), count, alone }, members, name);
      if (alone) report.judgedAlone();
      if (!unsound && undecided !== null) {
        report.takeBack(bytesOf(`another shard of its set could not be checked: ${undecided}`));
      }
    }
  }
}
