// The shards of one model judged together, behind the judgement of each by itself: src/gate/shard_sets.h, in
// JavaScript. Files are of one set when they lie in the same folder and their names differ in the number only;
// a set is looked at when one of its files was found by searching a folder, or when two were named.

import path from 'node:path';
import { bytesOf, folderOf, nameIn } from './paths.js';

const kName = /^([^]*)-(\d{5})-of-(\d{5})\.gguf$/;
const kMostShards = '65535';  // of five digits

function shardOf(file) {
  const [, stem, number, count] = kName.exec(nameIn(file.path)) ?? [];
  if (stem === undefined || number === '00000' || number > count || count > kMostShards) return null;
  return { stem, number: Number(number), count: Number(count), folder: path.posix.normalize(`${folderOf(file.path) || './'}.`) };
}

/** Hands reports over in the order of the files, those of a set when all of it is there. */
export class ShardSets {
  #files;
  #take;
  #sets = new Map();  // by the index of a file
  #waiting = [];      // from file #first on
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
      if (named.size < 2 && !set.files.some(({ index }) => files[index].searched)) continue;
      set.missing = set.files.length;
      for (const { index } of set.files) this.#sets.set(index, set);
    }
  }

  add(report) {
    const set = this.#sets.get(this.#first + this.#waiting.length);
    this.#waiting.push(report);
    if (!set) report.judgedAlone();
    if (set && --set.missing === 0) this.#judge(set);
    while (this.#waiting.length > 0 && !(this.#sets.get(this.#first)?.missing > 0)) {
      ++this.#first;
      this.#take(this.#waiting.shift());
    }
  }

  #judge({ stem, count, files }) {
    const reportOf = ({ index }) => this.#waiting[index - this.#first];
    let undecided = null;
    const members = files.map((file) => {
      const report = reportOf(file);
      if (report.verdict === 'undecided') undecided = file.name;
      return { report, name: bytesOf(file.name), number: file.number, facts: report.shardFacts(), unsound: report.verdict !== 'accept' };
    }).sort((a, b) => a.number - b.number);
    for (const { report, name, unsound } of members) {
      report.judgeInSet({ stem: bytesOf(stem), count }, members, name);
      if (!unsound && undecided !== null) {
        report.takeBack(bytesOf(`another shard of its set could not be judged: ${undecided}`));
      }
    }
  }
}
