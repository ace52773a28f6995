import { OpenedFile } from './opened.js';

/** The verdict on one file, with its findings. Text is escaped. */
export class Report {
  #instance;
  #source;
  #opened;

  /** `opens`: the file can be read. */
  constructor(instance, source, opens) {
    this.#instance = instance;
    this.#source = source;
    this.#opened = opens ? undefined : null;
    Object.assign(this, instance.json(instance.wasm.gate_file_json()));
  }

  /** The contents of the file, up to the fault in a rejected one; null if it could not be read. */
  get file() {
    if (this.#opened === undefined) this.#opened = new OpenedFile(this.#instance, this.#source);
    return this.#opened;
  }

  /** The report of `ggufgate check --format text`. */
  text({ colour = false, quiet = false, verbose = false, columns = 0 } = {}) {
    const { wasm } = this.#instance;
    return this.#instance.text(wasm.gate_file_text(+colour, +quiet, +verbose, columns));
  }

  /** The report of `ggufgate check --format json`: one object on one line. */
  json() {
    return this.#instance.text(this.#instance.wasm.gate_file_json());
  }

  /** The facts of this shard for its set: bytes for judgeInSet(). */
  shardFacts() {
    const size = this.#instance.wasm.gate_shard_facts();
    return this.#instance.bytes(this.#instance.wasm.gate_text(), size).slice();
  }

  /**
   * Adds findings about the set of shards of this file: `members` by number, each with its name (bytes), number,
   * facts, and whether its own report rejects it. `own` is this file. `alone`: the others were not searched.
   */
  judgeInSet({ stem, count, alone }, members, own) {
    const instance = this.#instance;
    const { wasm } = instance;
    instance.withTexts([stem], (...place) => wasm.gate_set_begin(...place, count, +Boolean(alone)));
    for (const { name, number, facts, unsound } of members) {
      const taken = instance.withTexts([name, facts], (chars, size, ...ofFacts) =>
        wasm.gate_set_member(chars, size, number, ...ofFacts, +unsound, +(own === name)));
      if (!taken) throw new Error('the data of a shard are invalid');
    }
    wasm.gate_set_judge();
    Object.assign(this, instance.json(wasm.gate_file_json()));
  }

  /** Notes in the line of the file that it is a shard and was checked without the others, if so. */
  judgedAlone() {
    this.#instance.wasm.gate_shard_alone();
  }

  /** Adds a finding: the name says shard `number` of `count`, which cannot exist. */
  judgeImpossibleName({ number, count }) {
    const { wasm } = this.#instance;
    wasm.gate_name_impossible(number, count);
    Object.assign(this, this.#instance.json(wasm.gate_file_json()));
  }

  /** Makes the file undecided, despite any findings. */
  takeBack(why) {
    this.#instance.withTexts([why], (...place) => this.#instance.wasm.gate_set_undecided(...place));
    Object.assign(this, this.#instance.json(this.#instance.wasm.gate_file_json()));
  }

  /** The policy in force, as `ggufgate policy print` writes it. */
  policy() {
    return this.#instance.text(this.#instance.wasm.gate_policy());
  }

  /** The text before the first file in `--format json`. */
  jsonHead({ time = '', policySha256 = '' } = {}) {
    return this.#instance.withTexts([time, policySha256], (...places) =>
      this.#instance.text(this.#instance.wasm.gate_json_head(...places)));
  }
}
