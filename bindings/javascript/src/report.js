import { OpenedFile } from './opened.js';

/** The verdict on one file, and all that led to it. Text is escaped. */
export class Report {
  #instance;
  #source;
  #opened;

  /** `opens`: there is a document to look into. */
  constructor(instance, source, opens) {
    this.#instance = instance;
    this.#source = source;
    this.#opened = opens ? undefined : null;
    Object.assign(this, instance.json(instance.wasm.gate_file_json()));
  }

  /** What is in the file, of a rejected one as far as it was read; null where it could not be. */
  get file() {
    if (this.#opened === undefined) this.#opened = new OpenedFile(this.#instance, this.#source);
    return this.#opened;
  }

  /** What `ggufgate check --format text` says of the file. */
  text({ colour = false, quiet = false, verbose = false, columns = 0 } = {}) {
    const { wasm } = this.#instance;
    return this.#instance.text(wasm.gate_file_text(+colour, +quiet, +verbose, columns));
  }

  /** What `ggufgate check --format json` says of the file: one object, on one line. */
  json() {
    return this.#instance.text(this.#instance.wasm.gate_file_json());
  }

  /** What a set of shards wants to know of this one: bytes for judgeInSet(). */
  shardFacts() {
    const size = this.#instance.wasm.gate_shard_facts();
    return this.#instance.bytes(this.#instance.wasm.gate_text(), size).slice();
  }

  /**
   * Adds what is wrong with the set of shards that the file is one of: `members` by rising number, each with its name
   * (bytes), number, facts, and whether its own report rejects it; `own` is this file. `alone`: nobody looked for the
   * others.
   */
  judgeInSet({ stem, count, alone }, members, own) {
    const instance = this.#instance;
    const { wasm } = instance;
    instance.withTexts([stem], (...place) => wasm.gate_set_begin(...place, count, +Boolean(alone)));
    for (const { name, number, facts, unsound } of members) {
      const taken = instance.withTexts([name, facts], (chars, size, ...ofFacts) =>
        wasm.gate_set_member(chars, size, number, ...ofFacts, +unsound, +(own === name)));
      if (!taken) throw new Error('what is told of a shard is not understood');
    }
    wasm.gate_set_judge();
    Object.assign(this, instance.json(wasm.gate_file_json()));
  }

  /** Says in the file's line that it is one of several shards and was judged without the others, where it is. */
  judgedAlone() {
    this.#instance.wasm.gate_shard_alone();
  }

  /** Adds that the file's name says shard `number` of `count`, which no shard is. */
  judgeImpossibleName({ number, count }) {
    const { wasm } = this.#instance;
    wasm.gate_name_impossible(number, count);
    Object.assign(this, this.#instance.json(wasm.gate_file_json()));
  }

  /** Makes the file undecided, whatever was found. */
  takeBack(why) {
    this.#instance.withTexts([why], (...place) => this.#instance.wasm.gate_set_undecided(...place));
    Object.assign(this, this.#instance.json(this.#instance.wasm.gate_file_json()));
  }

  /** The policy in force, as `ggufgate policy print` writes it. */
  policy() {
    return this.#instance.text(this.#instance.wasm.gate_policy());
  }

  /** What stands before the first file in `--format json`. */
  jsonHead({ time = '', policySha256 = '' } = {}) {
    return this.#instance.withTexts([time, policySha256], (...places) =>
      this.#instance.text(this.#instance.wasm.gate_json_head(...places)));
  }
}
