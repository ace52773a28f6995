// What is in a file that was judged, page by page.

const kMost = 0xffffffff;
// Types of tensors whose blocks are one value each.
const kNumbers = ['F32', 'F16', 'BF16', 'F64', 'I8', 'I16', 'I32', 'I64'];

function page(first, count) {
  const whole = (value) => {
    if (!Number.isInteger(value) || value < 0) throw new RangeError('a page begins and ends at whole numbers');
    return Math.min(value, kMost);
  };
  return [whole(first), whole(count)];
}

/** The contents of a file: all text in it is escaped, and fit to be shown, but still not to be trusted. */
export class OpenedFile {
  #instance;
  #source;

  constructor(instance, source) {
    this.#instance = instance;
    this.#source = source;
    this.header = instance.json(instance.wasm.gate_header_json());
    this.keyCount = instance.wasm.gate_key_count();
    this.tensorCount = instance.wasm.gate_tensor_count();
  }

  get #wasm() {
    return this.#instance.wasm;
  }

  get regionCount() {
    return this.#wasm.gate_region_count();
  }

  /** Keys in the order of the file; of arrays the first `elements`. */
  keys(first = 0, count = kMost, { elements = 8 } = {}) {
    return this.#instance.json(this.#wasm.gate_keys_json(...page(first, count), page(0, elements)[1]));
  }

  /** Elements of the array that is key number `key`. */
  elements(key, first = 0, count = 100) {
    const [from, most] = page(first, count);
    return this.#instance.json(this.#wasm.gate_elements_json(page(key, 0)[0], BigInt(from), most));
  }

  tensors(first = 0, count = kMost) {
    return this.#instance.json(this.#wasm.gate_tensors_json(...page(first, count)));
  }

  /** Stretches of the file with one meaning, in its order and without holes. */
  regions(first = 0, count = kMost) {
    return this.#instance.json(this.#wasm.gate_regions_json(...page(first, count)));
  }

  /**
   * What region number `region` consists of, from the part that holds byte `from` of the file on, at most `most`
   * parts; `next` is where the page after it begins. A value of a tensor without blocks has the `number` it is.
   */
  parts(region, from, most = 100) {
    const [place, count] = page(region, most);
    const { type, ...found } = this.#instance.json(this.#wasm.gate_parts_json(place, BigInt(from), count));
    if (kNumbers.includes(type)) for (const part of found.parts) part.number = type.toLowerCase();
    return found;
  }

  /** Bytes of the file, from its source. */
  async bytes(offset, length) {
    const size = this.#source.size;
    const begin = Math.min(Math.max(offset, 0), size);
    const end = Math.min(begin + Math.max(length, 0), size);
    return end > begin ? this.#source.read(begin, end - begin) : new Uint8Array();
  }
}
