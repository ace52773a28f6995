// The contents of a file as pages of lists: searched, sorted, and summarised for the drawing. A sort or
// search key is read once, at its first use.

import {drawn} from "./cells.js";

const STEP = 2_000;      // entries read at a time
const ELEMENTS = 8;      // elements of an array in the list of keys
const PREVIEW = 160;     // characters of a value, in a list
const PART = 20_000;     // characters of a text at a time

const cutAt = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);
const shownValue = (value) => (Array.isArray(value) ? `[${value.map(shownValue).join(", ")}]`
  : typeof value === "string" ? value : String(value));

export class Lists {
  #file;
  #indexes = new Map();
  #orders = new Map();

  constructor(file) {
    this.#file = file;
  }

  keys(question) {
    return this.#page("keys", question, (row, index) => keyRow(row, index));
  }

  tensors(question) {
    return this.#page("tensors", question, (row) => ({
      name: row.name, type: row.type ?? `type ${row.type_id}`, shape: row.dimensions, elements: row.elements,
      bytes: row.bytes, offset: row.file_offset,
    }));
  }

  elements({index, from, count, query}) {
    const [{count: total}] = this.#file.keys(index, 1, {elements: 0});
    const row = (value, at) => ({index: at, preview: cutAt(shownValue(value), 4 * PREVIEW)});
    if (!query) {
      return {total: Number(total), rows: this.#file.elements(index, from, count).map((value, at) => row(value, from + at))};
    }
    const found = this.#found(`elements ${index} ${query}`, () => matches(query, Number(total),
      (begin) => this.#file.elements(index, begin, STEP), shownValue));
    return {total: found.length, rows: [...found.slice(from, from + count)].map((at) => row(this.#file.elements(index, at, 1)[0], at))};
  }

  text({index, from}) {
    const [{value}] = this.#file.keys(index, 1, {elements: 0});
    const part = value.slice(from, from + PART);
    return {text: part, next: from + part.length, total: value.length};
  }

  // Some regions from number `from`, or around a file offset.
  regions({from, around, count}) {
    const total = this.#file.regionCount;
    const first = around === undefined ? from : Math.max(0, this.#regionAt(around) - Math.floor(count / 2));
    const rows = this.#file.regions(first, count).map((region, at) => ({...region, index: first + at}));
    return {total, rows};
  }

  parts({region, from, most}) {
    return this.#file.parts(region, from, most);
  }

  #regionAt(offset) {
    let low = 0;
    let high = this.#file.regionCount - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#file.regions(middle, 1)[0].offset <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  layout({from, to, cells}) {
    const {regionCount} = this.#file;
    return drawn(function* (file) {
      for (let at = 0; at < regionCount; at += STEP) yield* file.regions(at, STEP);
    }(this.#file), {from, to, cells});
  }

  #page(list, {from, count, query, sort, descending}, rowOf) {
    const all = list === "keys" ? this.#file.keyCount : this.#file.tensorCount;
    const read = (begin, many) => this.#file[list](begin, many, {elements: ELEMENTS});
    if (!query && !sort) {
      return {total: all, rows: read(from, count).map((row, at) => rowOf(row, from + at))};
    }
    const order = this.#found(`${list} ${sort} ${query}`, () => this.#order(list, all, read, query, sort));
    const total = order.length;
    const rows = [];
    for (let at = from; at < Math.min(total, from + count); ++at) {
      const index = order[descending ? total - 1 - at : at];
      rows.push(rowOf(read(index, 1)[0], index));
    }
    return {total, rows};
  }

  // Recent sort orders, for their other pages.
  #found(name, make) {
    let found = this.#orders.get(name);
    if (!found) {
      if (this.#orders.size >= 4) this.#orders.delete(this.#orders.keys().next().value);
      this.#orders.set(name, found = make());
    }
    return found;
  }

  #order(list, all, read, query, sort) {
    const texts = list === "keys" ? (row) => `${row.key}\n${cutAt(shownValue(row.value), 1000)}` : (row) => row.name;
    const order = query ? matches(query, all, (begin) => read(begin, STEP), texts) : Uint32Array.from({length: all}, (_, at) => at);
    if (!sort) return order;
    const by = this.#index(list, all, read, sort);
    return order.sort(typeof by[0] === "string" ? (a, b) => (by[a] < by[b] ? -1 : by[a] > by[b] ? 1 : a - b)
      : (a, b) => by[a] - by[b] || a - b);
  }

  // One column of a list: text, or numbers with unknown values first.
  #index(list, all, read, column) {
    const name = `${list} ${column}`;
    let values = this.#indexes.get(name);
    if (!values) {
      values = new Array(all);
      const field = {offset: list === "tensors" ? "file_offset" : "offset"}[column] ?? column;
      for (let begin = 0; begin < all; begin += STEP) {
        for (const [at, row] of read(begin, STEP).entries()) {
          const value = row[field];
          values[begin + at] = typeof value === "string" ? value : value === null ? (column === "type" ? "" : -1) : Number(value);
        }
      }
      this.#indexes.set(name, values);
    }
    return values;
  }
}

// The numbers of the entries whose text contains the query, ignoring case.
function matches(query, all, read, textOf) {
  const wanted = query.toLowerCase();
  const found = [];
  for (let begin = 0; begin < all; begin += STEP) {
    for (const [at, row] of read(begin).entries()) {
      if (textOf(row).toLowerCase().includes(wanted)) found.push(begin + at);
    }
  }
  return Uint32Array.from(found);
}

function keyRow({key, type, element_type: elementType, count, offset, length, value}, index) {
  const text = shownValue(value);
  const elements = elementType === undefined ? null : Number(count);
  const preview = elementType && elements > ELEMENTS ? `${cutAt(text.slice(0, -1), PREVIEW)}, …]` : cutAt(text, PREVIEW);
  return {index, key, type, elementType, elements, offset, length, preview,
          cut: text.length > PREVIEW || (elements ?? 0) > ELEMENTS, characters: elementType ? null : text.length};
}
