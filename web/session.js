// One file and its contents, one page at a time. It runs in the worker, because lists can have a million
// entries.

import {Gate, fromBlob} from "./gate/src/index.js";
import {Lists} from "./lists.js";
import {portReader} from "./reading.js";

const MOST_CAUSES = 3;
const WHERE_SHARDS_SAY = 500;  // number of first keys that are searched for it
const NOTHING = {keyCount: 0, tensorCount: 0, regionCount: 0, keys: () => [], tensors: () => [], regions: () => []};

export class Session {
  #gate;
  #report;
  #file;
  #read;
  #lists;

  static async start(program) {
    const session = new Session();
    session.#gate = await Gate.load(program);
    return session;
  }

  // The first run of scripts and module is slow, so it uses a file that nobody waits for.
  async prepare(file) {
    const other = new Session();
    other.#gate = this.#gate;
    await other.open({name: "", file}, () => {});
    this.#gate.prepare();
  }

  async open({name, file, port, size = file.size}, progress) {
    const source = file ? fromBlob(file, name) : {name, size, read: portReader(port)};
    this.#read = source.read;
    let taken = 0;
    this.#report = await this.#gate.check(source, {onProgress: (bytes) => {
      taken = bytes;
      progress({taken, size});
    }});
    this.#file = this.#report.file ?? NOTHING;
    this.#lists = new Lists(this.#file);
    return this.#overview(size, taken);
  }

  #overview(size, taken) {
    const {path, verdict, problem, findings, totals, summary} = this.#report;
    const counts = {error: 0, warning: 0, note: 0};
    const listed = {};
    for (const {severity, rule} of findings) {
      ++counts[severity];
      listed[rule] = (listed[rule] ?? 0) + 1;
    }
    return {
      name: path, size, verdict, problem, summary, counts, taken,
      shards: this.#shards(path), findings: findings.length, keys: this.#file.keyCount, tensors: this.#file.tensorCount,
      causes: findings.filter(({cause}) => cause).slice(0, MOST_CAUSES).map(({cause}) => cause),
      more: Object.entries(totals).filter(([rule, total]) => total > (listed[rule] ?? 0)).map(
        ([rule, total]) => ({rule, total})),
    };
  }

  // The number of shards of the model; 1 if keys and name mention no others.
  #shards(name) {
    const found = this.#file.keys(0, WHERE_SHARDS_SAY, {elements: 0}).find(({key}) => key === "split.count");
    return Number.isInteger(found?.value) ? found.value : Number(/-\d{5}-of-(\d{5})\.gguf$/.exec(name)?.[1] ?? 1);
  }

  findings({from, count, severities}) {
    const wanted = this.#report.findings.filter(({severity}) => severities.includes(severity));
    return {total: wanted.length, rows: wanted.slice(from, from + count)};
  }

  keys = (question) => this.#lists.keys(question);
  elements = (question) => this.#lists.elements(question);
  text = (question) => this.#lists.text(question);
  tensors = (question) => this.#lists.tensors(question);
  regions = (question) => this.#lists.regions(question);
  layout = (question) => this.#lists.layout(question);
  parts = (question) => this.#lists.parts(question);
  bytes = ({offset, length}) => this.#read(offset, length);
}
