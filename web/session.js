// One file and what is known of it, asked for a page at a time. It runs in the worker: lists that may
// have a million entries never leave it whole.

import {Gate} from "./gate/ggufgate.js";
import {Lists} from "./lists.js";
import {fileReader, portReader} from "./reading.js";

const MOST_CAUSES = 3;

export class Session {
  #gate;
  #report;
  #read;
  #lists;

  static async start(program) {
    const session = new Session();
    session.#gate = await Gate.load(program);
    return session;
  }

  async open({name, file, port, size = file.size}, progress) {
    const reader = file ? fileReader(file) : portReader(port);
    let taken = 0;
    this.#read = reader;
    this.#report = await this.#gate.check({name, size, read: async (offset, length) => {
      const bytes = await reader(offset, length);
      taken += bytes.length;
      progress({taken, size});
      return bytes;
    }});
    this.#lists = new Lists(this.#report);
    return this.#overview(name, size, taken);
  }

  #overview(name, size, taken) {
    const {verdict, problem, findings, totals, summary} = this.#report;
    const counts = {error: 0, warning: 0, note: 0};
    const listed = {};
    for (const {severity, rule} of findings) {
      ++counts[severity];
      listed[rule] = (listed[rule] ?? 0) + 1;
    }
    return {
      name: this.#gate.escape(name), size, verdict, problem, summary, counts, taken,
      findings: findings.length, keys: this.#report.keyCount, tensors: this.#report.tensorCount,
      causes: findings.filter(({cause}) => cause).slice(0, MOST_CAUSES).map(({cause}) => cause),
      more: Object.entries(totals).filter(([rule, total]) => total > (listed[rule] ?? 0)).map(
        ([rule, total]) => ({rule, total})),
    };
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
  parts = ({region, from, most}) => this.#report.parts(region, from, most);
  bytes = ({offset, length}) => this.#read(offset, length);
}
