// The contents of a checked file, page by page.

import { exact } from './instance.js';
import { readFully } from './sources.js';

const kMost = 0xffffffff;
const kFloatsAtOnce = 1 << 18;

function whole(value) {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a page must begin and end at whole numbers');
  return value;
}

const page = (...numbers) => numbers.map((number) => Math.min(whole(number), kMost));

/** The contents of a file. All text is escaped and can be shown, but must not be trusted. */
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

  /** Keys in file order, with the first `elements` of arrays. */
  keys(first = 0, count = kMost, { elements = 8 } = {}) {
    return this.#instance.json(this.#wasm.gate_keys_json(...page(first, count), ...page(elements)));
  }

  /** Elements of the array with key number `key`. */
  elements(key, first = 0, count = 100) {
    const [index, most] = page(key, count);
    return this.#instance.json(this.#wasm.gate_elements_json(index, BigInt(whole(first)), most));
  }

  tensors(first = 0, count = kMost) {
    return this.#instance.json(this.#wasm.gate_tensors_json(...page(first, count)));
  }

  /** Ranges of the file with one meaning, in file order and without gaps. */
  regions(first = 0, count = kMost) {
    return this.#instance.json(this.#wasm.gate_regions_json(...page(first, count)));
  }

  /**
   * The parts of region number `region` from byte `from` of the file: at most `most` fields or blocks.
   * `next` is the start of the next page.
   */
  parts(region, from = 0, most = 100) {
    const [index, many] = page(region, most);
    const answer = this.#instance.json(this.#wasm.gate_parts_json(index, BigInt(whole(from)), many));
    if (answer === null) throw new RangeError('there is no such region');
    return answer;
  }

  /** Elements of a tensor as floats, bit for bit as ggml decodes them. */
  async floats(tensor, first, count) {
    const [index, many] = page(tensor, count);
    const floats = new Float32Array(many);
    for (let done = 0; done < many;) {
      const some = Math.min(kFloatsAtOnce, many - done);
      floats.set(await this.#someFloats(index, first + done, some), done);
      done += some;
    }
    return floats;
  }

  async #someFloats(tensor, first, count) {
    const wasm = this.#wasm;
    const begin = () => {
      if (!wasm.gate_floats_begin(tensor, BigInt(whole(first)), count)) {
        throw new RangeError('the tensor has no such elements');
      }
      return [exact(wasm.gate_floats_offset()), wasm.gate_floats_size()];
    };
    const bytes = await readFully(this.#source, ...begin());
    begin();  // another request may have changed the state
    this.#instance.bytes(wasm.gate_floats_room(), bytes.length).set(bytes);
    const place = wasm.gate_floats_decode();
    if (place === 0) throw new Error('its type is not decoded');
    return new Float32Array(wasm.memory.buffer, place, count).slice();
  }

  /** Bytes of the file, from its source. */
  async bytes(offset, length) {
    const size = this.#source.size;
    const begin = Math.min(Math.max(offset, 0), size);
    const end = Math.min(begin + Math.max(length, 0), size);
    return end > begin ? readFully(this.#source, begin, end - begin) : new Uint8Array();
  }
}
