// Shows the bytes of a GGUF file and their meaning.
//
// One module without imports, for the page (web/) and, built into the program, for
// `ggufgate inspect --format html`. Text of the file is shown as text and never as markup.
//
//   const view = layOpen(root, { name, size, regions, parts, bytes, findings });
//
// root      an element that becomes the view; view/laid_open.css goes with it.
// name      the name of the file; size: its bytes.
// regions   the regions of the whole file in file order, an array of
//           { kind, name, offset, length, subject } — kind as in `inspect --format json --layout`
//           ("header", "metadata", "tensor info", "padding", "tensor data", "gap",
//           "trailing bytes", "not read"); name: kind and subject, as people read it; subject: the
//           key or tensor, "" for others. All text is escaped as in the reports.
// parts     (region, from, most) → the parts of the region from byte `from` of the file, or a
//           promise of them: { parts: [{ offset, length, name, meaning, number? }], next }, at most
//           `most` parts. The first contains byte `from`; `next` is the start of the next page, or
//           the end of the region. `region` is an element of `regions`. number:
//           "f32", "f16", "bf16", "f64", "i8", "i16", "i32" or "i64" if the part is one value of a
//           tensor, which the view reads from the bytes.
// bytes     (offset, length) → a Uint8Array, or a promise of it. Only called for bytes inside the file
//           and in `stretches`.
// findings  as in `--format json`: [{ rule, severity, offset, length, path, message, cause?: { message,
//           advice }, suppressed?: { reason } }]
// stretches [[offset, length], …], in file order: the available bytes; default: all.
// left_out  a sentence about missing bytes; "" or absent: none are missing.
// big_endian whether the numbers of the file are.
//
// The view returns { goTo(offset, length = 1), destroy() }. Offsets are numbers: files are smaller
// than 2^53.

// The kinds of regions: a letter, because colours are not enough for everybody, and a class.
const KINDS = {
  "header": ["H", "header"],
  "metadata": ["K", "key"],
  "tensor info": ["T", "record"],
  "padding": [".", "padding"],
  "tensor data": ["#", "data"],
  "gap": ["_", "gap"],
  "trailing bytes": ["+", "trailing"],
  "not read": ["?", "unread"],
};
const TALLEST = 4_000_000; // pixels; browsers scroll correctly up to about four times as much
const PAGE = 128; // parts per request
const LISTED = 200; // lines per list

const hex = (number, digits = 1) => number.toString(16).padStart(digits, "0");
const grouped = (number) => number.toLocaleString("en-US");
const bytesText = (count) => (count === 1 ? "1 byte" : `${grouped(count)} bytes`);
const letterOf = (region) => (KINDS[region?.kind] ?? ["?", "unread"])[0];
const classOf = (region) => (KINDS[region?.kind] ?? ["?", "unread"])[1];
const endOf = (range) => range.offset + range.length;
const holds = (range, offset) => range.offset <= offset && offset < endOf(range);

// make builds an element; strings among the children become text nodes, so nothing is ever markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// after is the index of the first element of a sorted list whose begin(element) is beyond `offset`.
function after(list, offset, begin) {
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (begin(list[middle]) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Regions finds the regions of bytes, also if tensors overlap.
class Regions {
  constructor(list) {
    this.list = list;
    let end = 0;
    this.ends = list.map((region) => (end = Math.max(end, endOf(region)))); // of it and all before
  }
  // All that hold a byte of [begin, end), in file order.
  within(begin, end) {
    const found = [];
    for (let i = after(this.list, end - 1, (region) => region.offset) - 1; i >= 0 && this.ends[i] > begin; --i) {
      if (endOf(this.list[i]) > begin) found.push(this.list[i]);
    }
    return found.reverse();
  }
  at(offset) {
    return this.within(offset, offset + 1).at(-1);
  }
}

// valueOf reads one value of a tensor.
function valueOf(type, bytes, little) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case "f32": return shortest(view.getFloat32(0, little));
    case "f64": return String(view.getFloat64(0, little));
    case "bf16": {
      const wide = new DataView(new ArrayBuffer(4));
      wide.setUint16(0, view.getUint16(0, little));
      return shortest(wide.getFloat32(0));
    }
    case "f16": return shortest(halfOf(view.getUint16(0, little)));
    case "i8": return String(view.getInt8(0));
    case "i16": return String(view.getInt16(0, little));
    case "i32": return String(view.getInt32(0, little));
    case "i64": return String(view.getBigInt64(0, little));
    default: return "";
  }
}
const shortest = (value) => String(Number(value.toPrecision(6)));
function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

const SIZES = { f64: 8, i64: 8, f32: 4, i32: 4, f16: 2, bf16: 2, i16: 2, i8: 1 };

class View {
  constructor(root, file) {
    this.root = root;
    this.file = { findings: [], ...file };
    this.findings = [...this.file.findings].sort((a, b) => a.offset - b.offset);
    this.regions = new Regions(file.regions);
    this.columns = 16;
    this.at = 0; // the selected byte
    this.marked = 1; // number of selected bytes
    this.position = 0; // pixels from the top, as if no scroll bar had a limit
    this.last = 0; // the last seen scrollTop
    this.drawn = null; // the contents of the rows
    this.turn = 0; // number of the drawing and panel: late answers are dropped
    this.panelTurn = 0;
    this.id = `lo${Math.floor(performance.now())}`;
    this.build();
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.scroll);
    this.measure();
    this.select(this.findings[0]?.offset ?? 0, this.findings[0]?.length);
  }

  // --- what there is ------------------------------------------------------------------------------

  build() {
    const { file } = this;
    this.root.replaceChildren();
    this.root.classList.add("laid-open");
    this.say = make("p", { class: "lo-say", role: "status" });
    this.rows = make("div", { class: "lo-rows", role: "rowgroup" });
    this.spacer = make("div", { class: "lo-spacer", role: "presentation" }, this.rows);
    this.scroll = make("div", {
      class: "lo-scroll", role: "grid", tabindex: "0", "aria-label": `Bytes of ${file.name}`,
      "aria-describedby": `${this.id}-keys`, onscroll: () => this.scrolled(), onkeydown: (event) => this.key(event),
      onclick: (event) => this.clicked(event),
    }, this.spacer);
    this.panel = make("section", { class: "lo-panel", "aria-label": "Meaning of the selected byte" });
    this.root.append(
      this.bar(),
      ...(file.left_out ? [make("p", { class: "lo-note" }, file.left_out)] : []),
      this.map(),
      make("div", { class: "lo-body" }, this.outline(), make("div", { class: "lo-middle" }, this.scroll, this.say),
        this.panel),
      this.legend());
  }

  bar() {
    this.choices = make("datalist", { id: `${this.id}-choices` });
    this.wish = make("input", {
      id: `${this.id}-goto`, type: "text", autocomplete: "off", spellcheck: "false", list: `${this.id}-choices`,
      placeholder: "0x1a40, 6720, a key or a tensor", oninput: () => this.suggest(),
    });
    const form = make("form", { class: "lo-goto", role: "search", onsubmit: (event) => {
      event.preventDefault();
      this.wishFor(this.wish.value.trim());
    } }, make("label", { for: `${this.id}-goto` }, "Go to"), this.wish, this.choices, make("button", {}, "Go"));
    const step = (word, way) => make("button", { type: "button", onclick: () => this.nextFinding(way) }, word);
    return make("div", { class: "lo-bar" }, form,
      ...(this.findings.length > 0 ? [make("div", { class: "lo-steps", role: "group", "aria-label": "Findings" },
        step("Previous finding", -1), step("Next finding", 1))] : []));
  }

  // The whole file as a strip, to scale. Very small regions are visible only in the list.
  map() {
    const strip = make("div", { class: "lo-map", "aria-hidden": "true", onclick: (event) => {
      const box = strip.getBoundingClientRect();
      this.goTo(Math.floor(((event.clientX - box.left) / box.width) * this.file.size));
    } });
    const most = 400;
    let begin = 0;
    for (let i = 0; i < most && begin < this.file.size; ++i) {
      const end = Math.ceil((this.file.size * (i + 1)) / most);
      if (end <= begin) continue;
      const region = this.regions.at(begin + ((end - begin) >> 1)) ?? this.regions.at(begin);
      const previous = strip.lastChild;
      const same = previous?.region === region || previous?.className === `k-${classOf(region)}`;
      const cell = same ? previous : make("span", { class: `k-${classOf(region)}` });
      cell.region = region;
      cell.share = (cell.share ?? 0) + end - begin;
      cell.style.flexGrow = String(cell.share / this.file.size);
      if (!same) strip.append(cell);
      begin = end;
    }
    for (const finding of this.findings.slice(0, LISTED)) {
      const mark = make("i", { class: `lo-pin s-${finding.severity}` });
      mark.style.left = `${(100 * Math.min(finding.offset, this.file.size)) / Math.max(1, this.file.size)}%`;
      strip.append(mark);
    }
    return strip;
  }

  outline() {
    const outline = make("nav", { class: "lo-outline", "aria-label": "Findings and regions" });
    const folded = matchMedia("(max-width: 60rem)").matches;
    if (this.findings.length > 0) {
      const list = make("ol", { class: "lo-findings" });
      for (const finding of this.findings.slice(0, LISTED)) list.append(make("li", {}, this.findingButton(finding)));
      const more = this.findings.length - LISTED;
      if (more > 0) list.append(make("li", {}, `… and ${grouped(more)} more`));
      const word = this.findings.length === 1 ? "finding" : "findings";
      outline.append(make("details", { open: !folded }, make("summary", {}, `${grouped(this.findings.length)} ${word}`), list));
    }
    this.filter = make("input", { type: "search", "aria-label": "Filter regions", placeholder: "Filter",
      oninput: () => this.listRegions() });
    this.listed = make("ul", { class: "lo-regions" });
    outline.append(make("details", { open: !folded },
      make("summary", {}, `${grouped(this.file.regions.length)} regions`), this.filter, this.listed));
    this.listRegions();
    return outline;
  }

  findingButton(finding) {
    return make("button", { type: "button", class: `lo-finding s-${finding.severity}`,
      onclick: () => this.goTo(finding.offset, finding.length) },
    make("b", {}, `${finding.severity} ${finding.rule}`), make("code", {}, `0x${hex(finding.offset)}`),
    make("span", {}, `${finding.path ? `${finding.path}: ` : ""}${finding.message}`));
  }

  listRegions() {
    const wanted = this.filter.value.trim().toLowerCase();
    const fitting = this.file.regions.filter((region) => region.name.toLowerCase().includes(wanted));
    this.listed.replaceChildren(...fitting.slice(0, LISTED).map((region) => make("li", {}, make("button", {
      type: "button", class: "lo-region", onclick: () => this.goTo(region.offset, region.length),
    }, make("span", { class: `lo-tag k-${classOf(region)}`, "aria-hidden": "true" }, letterOf(region)),
    make("span", {}, region.name), make("small", {}, bytesText(region.length))))));
    if (fitting.length > LISTED) {
      this.listed.append(make("li", { class: "lo-more" }, `… and ${grouped(fitting.length - LISTED)} more: the filter narrows`));
    }
    if (fitting.length === 0) this.listed.append(make("li", { class: "lo-more" }, "none of that name"));
  }

  legend() {
    const used = Object.keys(KINDS).filter((kind) => this.file.regions.some((region) => region.kind === kind));
    const keys = [["arrows, Page Up, Page Down, Home, End", "move"], ["Ctrl+Home, Ctrl+End", "first and last byte"],
      ["[ and ]", "previous and next field"], ["{ and }", "previous and next region"],
      ["f and F", "next and previous finding"], ["g", "go to"]];
    return make("div", { class: "lo-legend" },
      make("ul", { class: "lo-kinds", "aria-label": "Kinds of regions" }, ...used.map((kind) => make("li", {},
        make("span", { class: `lo-tag k-${KINDS[kind][1]}`, "aria-hidden": "true" }, KINDS[kind][0]), kind))),
      make("details", {}, make("summary", {}, "Keys"), make("dl", { id: `${this.id}-keys` },
        ...keys.flatMap(([press, what]) => [make("dt", {}, press), make("dd", {}, what)]))));
  }

  // --- scrolling ----------------------------------------------------------------------------------

  get rowCount() { return Math.max(1, Math.ceil(this.file.size / this.columns)); }
  get farthest() { return Math.max(0, this.rowCount * this.rowHeight - this.scroll.clientHeight); }
  get scrollable() { return Math.max(0, this.spacerHeight - this.scroll.clientHeight); }

  measure() {
    const wide = this.scroll.clientWidth;
    const size = parseFloat(getComputedStyle(this.scroll).fontSize) || 13;
    const columns = wide / size < 72 ? 8 : 16; // leaves room for the meanings
    if (columns !== this.columns) this.rows.replaceChildren();
    this.columns = columns;
    this.rowHeight = Math.ceil(size * 1.75);
    this.scroll.style.setProperty("--lo-row", `${this.rowHeight}px`);
    this.scroll.style.setProperty("--lo-columns", String(this.columns));
    this.scroll.setAttribute("aria-rowcount", String(this.rowCount));
    this.scroll.setAttribute("aria-colcount", String(this.columns + 3));
    this.spacerHeight = Math.min(this.rowCount * this.rowHeight, TALLEST);
    this.spacer.style.height = `${this.spacerHeight}px`;
    this.rows.style.height = `${this.scroll.clientHeight}px`;
    this.position = Math.min(this.position, this.farthest);
    this.reveal(this.at);
    this.draw();
  }

  // The rows of 70 GB are taller than any browser scrolls. Small movements are exact; large ones, made with
  // the scroll bar, are fractions of the file.
  scrolled() {
    const top = this.scroll.scrollTop;
    const moved = top - this.last;
    this.last = top;
    if (moved === 0) return;
    const scaled = this.rowCount * this.rowHeight > TALLEST;
    const near = Math.abs(moved) < 3 * this.scroll.clientHeight;
    if (!scaled) this.position = top;
    else if (near && top > 0 && top < this.scrollable) this.position += moved;
    else this.position = (top / this.scrollable) * this.farthest;
    this.position = Math.min(Math.max(0, this.position), this.farthest);
    clearTimeout(this.settling);
    if (scaled) this.settling = setTimeout(() => this.settle(), 200);
    this.draw();
  }

  // Moves the scroll bar to the position, with room in both directions.
  settle() {
    const share = this.farthest > 0 ? this.position / this.farthest : 0;
    let top = Math.round(share * this.scrollable);
    if (this.rowCount * this.rowHeight > TALLEST && this.position > 0 && this.position < this.farthest) {
      top = Math.min(Math.max(top, 2000), this.scrollable - 2000);
    }
    this.scroll.scrollTop = top;
    this.last = this.scroll.scrollTop;
  }

  reveal(offset) {
    const top = Math.floor(offset / this.columns) * this.rowHeight;
    const room = this.scroll.clientHeight - this.rowHeight;
    if (top < this.position || top > this.position + room) {
      // A step out of view scrolls by a step; a jump shows bytes before and after its target.
      const step = Math.min(Math.abs(top - this.position), Math.abs(top - this.position - room)) <= 2 * this.rowHeight;
      const wanted = step ? (top < this.position ? top : top - room) : top - room / 3;
      this.position = Math.min(Math.max(0, wanted), this.farthest);
    }
    this.settle();
  }

  // --- drawing ------------------------------------------------------------------------------------

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.drawNow();
    });
  }

  async drawNow() {
    const turn = ++this.turn;
    const first = Math.floor(this.position / this.rowHeight);
    const count = Math.min(Math.ceil(this.scroll.clientHeight / this.rowHeight) + 1, this.rowCount - first);
    const begin = first * this.columns;
    const end = Math.min(begin + count * this.columns, this.file.size);
    const shown = await this.window(begin, end);
    if (turn !== this.turn) return;
    this.drawn = { ...shown, first };
    while (this.rows.children.length < count) this.rows.append(this.emptyRow());
    while (this.rows.children.length > count) this.rows.lastChild.remove();
    for (let i = 0; i < count; ++i) this.fillRow(this.rows.children[i], first + i);
    this.rows.style.setProperty("--lo-shift", `${first * this.rowHeight - this.position}px`);
    this.markSelected();
  }

  // Data about [begin, end): bytes, their availability, and their parts.
  async window(begin, end) {
    const length = Math.max(0, end - begin);
    const shown = { begin, end, bytes: new Uint8Array(length), known: new Uint8Array(length),
      parts: new Array(length), regions: new Array(length) };
    const reads = this.stretchesIn(begin, end).map(async ([offset, size]) => {
      const bytes = await this.file.bytes(offset, size);
      shown.bytes.set(bytes.subarray(0, size), offset - begin);
      shown.known.fill(1, offset - begin, offset - begin + Math.min(size, bytes.length));
    });
    for (const region of this.regions.within(begin, end)) await this.partsInto(shown, region);
    await Promise.all(reads);
    return shown;
  }

  async partsInto(shown, region) {
    const end = Math.min(endOf(region), shown.end);
    for (let at = Math.max(region.offset, shown.begin); at < end;) {
      const page = await this.file.parts(region, at, PAGE);
      for (const part of page.parts) {
        for (let i = Math.max(part.offset, shown.begin); i < Math.min(endOf(part), end); ++i) {
          shown.parts[i - shown.begin] = part;
          shown.regions[i - shown.begin] = region;
        }
      }
      if (page.next <= at) return;
      at = page.next;
    }
  }

  stretchesIn(begin, end) {
    if (!this.file.stretches) return end > begin ? [[begin, end - begin]] : [];
    const list = this.file.stretches;
    const found = [];
    for (let i = Math.max(0, after(list, begin, ([offset]) => offset) - 1); i < list.length && list[i][0] < end; ++i) {
      const from = Math.max(begin, list[i][0]);
      const to = Math.min(end, list[i][0] + list[i][1]);
      if (to > from) found.push([from, to - from]);
    }
    return found;
  }

  emptyRow() {
    const row = make("div", { class: "lo-row", role: "row" },
      make("span", { class: "lo-kind", "aria-hidden": "true" }),
      make("span", { class: "lo-offset", role: "rowheader" }));
    for (let i = 0; i < this.columns; ++i) row.append(make("span", { role: "gridcell" }));
    row.append(make("span", { class: "lo-text", role: "gridcell" }), make("span", { class: "lo-meaning", role: "gridcell" }));
    return row;
  }

  fillRow(row, number) {
    const begin = number * this.columns;
    const { drawn } = this;
    const [kind, offset, ...rest] = row.children;
    const text = rest[this.columns];
    row.setAttribute("aria-rowindex", String(number + 1));
    offset.textContent = hex(begin, Math.max(4, hex(this.file.size).length));
    const region = drawn.regions[begin - drawn.begin];
    kind.textContent = letterOf(region);
    kind.className = `lo-kind k-${classOf(region)}`;
    let characters = "";
    for (let i = 0; i < this.columns; ++i) {
      const at = begin + i;
      const inside = at < this.file.size;
      const byte = drawn.known[at - drawn.begin] ? drawn.bytes[at - drawn.begin] : undefined;
      rest[i].className = inside ? this.cellClass(at) : "lo-none";
      rest[i].textContent = !inside ? "" : byte === undefined ? "··" : hex(byte, 2);
      rest[i].id = inside ? `${this.id}-${at}` : "";
      if (inside) characters += byte === undefined ? " " : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
    }
    text.textContent = characters;
    rest[this.columns + 1].replaceChildren(...this.meaningOf(begin));
  }

  cellClass(at) {
    const { drawn } = this;
    const part = drawn.parts[at - drawn.begin];
    let name = `lo-byte k-${classOf(drawn.regions[at - drawn.begin])}`;
    if (part?.offset === at) name += " lo-begins";
    const finding = this.findings.find((one) => this.rangeOf(one).offset <= at && at < endOf(this.rangeOf(one)));
    return finding ? `${name} lo-hit s-${finding.severity}` : name;
  }

  // The marked range of a finding: at least one byte, inside the file.
  rangeOf(finding) {
    const offset = Math.min(finding.offset, Math.max(0, this.file.size - 1));
    return { offset, length: Math.max(1, finding.length) };
  }

  // The parts that begin in a row, and the one that continues.
  meaningOf(begin) {
    const { drawn } = this;
    const end = Math.min(begin + this.columns, drawn.end);
    const items = [];
    for (const finding of this.findings) {
      const { offset } = this.rangeOf(finding);
      if (offset >= begin && offset < end) items.push(make("mark", { class: `s-${finding.severity}` }, `${finding.severity}: ${finding.rule}`));
    }
    for (let at = begin; at < end; ++at) {
      const part = drawn.parts[at - drawn.begin];
      if (!part || (at > begin && part.offset !== at)) continue;
      const region = drawn.regions[at - drawn.begin];
      if (at === region.offset && region.subject) items.push(make("em", {}, region.name));
      if (part.offset !== at) items.push(make("span", { class: "lo-on" }, `… ${part.name}`));
      else items.push(this.chip(part));
    }
    return items;
  }

  chip(part) {
    const value = this.numberIn(part);
    return value !== undefined ? make("span", {}, value)
      : make("span", {}, make("b", {}, part.name), ` ${part.meaning}`);
  }

  numberIn(part) {
    const at = part.offset - this.drawn.begin;
    const size = SIZES[part.number];
    if (!size || part.length !== size || at < 0 || at + size > this.drawn.known.length) return undefined;
    if (!this.drawn.known[at] || !this.drawn.known[at + size - 1]) return undefined;
    return valueOf(part.number, this.drawn.bytes.slice(at, at + size), !this.file.big_endian);
  }

  markSelected() {
    for (const cell of this.rows.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
    this.scroll.removeAttribute("aria-activedescendant");
    if (!this.drawn || this.at < this.drawn.begin || this.at >= this.drawn.end) return;
    for (let at = this.at; at < Math.min(this.at + this.marked, this.drawn.end); ++at) {
      const cell = this.cellAt(at);
      if (cell) cell.setAttribute("aria-selected", "true");
    }
    this.scroll.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
  }

  cellAt(at) {
    const row = this.rows.children[Math.floor(at / this.columns) - this.drawn.first];
    return row?.children[2 + (at % this.columns)];
  }

  // --- the panel ----------------------------------------------------------------------------------

  async fillPanel() {
    const turn = ++this.panelTurn;
    const at = this.at;
    const within = this.regions.within(at, at + 1);
    const region = within.at(-1);
    if (!region) return this.panel.replaceChildren(make("p", {}, "The file is empty."));
    const page = await this.file.parts(region, at, PAGE);
    const shown = await this.window(at, Math.min(at + Math.max(1, Math.min(page.parts[0]?.length ?? 1, 8)), this.file.size));
    if (turn !== this.panelTurn) return;
    const part = page.parts[0] ?? { offset: at, length: 1, name: region.name, meaning: "" };
    const byte = shown.known[0] ? shown.bytes[0] : undefined;
    const findings = this.findings.filter((one) => holds(this.rangeOf(one), at));
    const facts = (pairs) => make("dl", {}, ...pairs.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
    const rangeText = (range) => `0x${hex(range.offset)} to 0x${hex(endOf(range) - 1)}, ${bytesText(range.length)}`;
    const value = part.number && part.offset === at && shown.known.every((known) => known) && part.length === SIZES[part.number]
      ? valueOf(part.number, shown.bytes, !this.file.big_endian) : undefined;
    this.panel.replaceChildren(
      make("h2", {}, part.name), make("p", { class: "lo-says" }, part.meaning),
      ...(value !== undefined ? [make("p", { class: "lo-says" }, `= ${value}`)] : []),
      facts([["bytes", rangeText(part)], ["in", `${region.name}, ${rangeText(region)}`],
        ["byte", `0x${hex(at)} (${grouped(at)})${byte === undefined ? ", not in this page" : `: ${hex(byte, 2)}, ${byte}`}`]]),
      ...within.slice(0, -1).map((other) => make("p", { class: "lo-also" }, `also in ${other.name}`)),
      ...findings.map((finding) => this.findingCard(finding)),
      this.fields(region, page));
    this.say.textContent = `0x${hex(at)}${byte === undefined ? "" : `: ${hex(byte, 2)}`} — ${region.name} — ${part.name}: ${part.meaning}`;
  }

  findingCard(finding) {
    return make("div", { class: `lo-card s-${finding.severity}` },
      make("b", {}, `${finding.severity} ${finding.rule}`),
      make("p", {}, `${finding.path ? `${finding.path}: ` : ""}${finding.message}`),
      ...(finding.cause ? [make("p", {}, `${finding.cause.message}; ${finding.cause.advice}`)] : []),
      ...(finding.suppressed ? [make("p", {}, `suppressed: ${finding.suppressed.reason}`)] : []));
  }

  // The fields from the selected one, one page at a time.
  fields(region, page) {
    const list = make("ul", { class: "lo-fields" });
    const add = (parts) => list.append(...parts.slice(0, 24).map((part) => make("li", {}, make("button", {
      type: "button", onclick: () => this.goTo(part.offset, part.length),
    }, make("code", {}, `0x${hex(part.offset)}`), make("b", {}, part.name), ` ${part.meaning}`))));
    add(page.parts);
    const whole = make("button", { type: "button", onclick: () => this.goTo(region.offset, region.length) }, "Beginning of the region");
    return make("details", { open: true }, make("summary", {}, "From here on"), list, whole);
  }

  // --- moving -------------------------------------------------------------------------------------

  select(offset, length = 1) {
    this.at = Math.min(Math.max(0, offset), Math.max(0, this.file.size - 1));
    this.marked = Math.max(1, Math.min(length, this.file.size - this.at));
    this.reveal(this.at);
    this.markSelected();
    this.draw();
    this.fillPanel();
  }

  goTo(offset, length = 1) {
    this.select(offset, length);
    this.scroll.focus({ preventScroll: true });
  }

  clicked(event) {
    const prefix = `${this.id}-`;
    const cell = event.target.closest?.("[role=gridcell]");
    if (cell?.id.startsWith(prefix)) this.select(Number(cell.id.slice(prefix.length)));
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / this.rowHeight) - 1) * this.columns;
    const row = this.at - (this.at % this.columns);
    const moves = event.ctrlKey ? { Home: () => 0, End: () => this.file.size - 1 } : {
      ArrowLeft: () => this.at - 1, ArrowRight: () => this.at + 1,
      ArrowUp: () => this.at - this.columns, ArrowDown: () => this.at + this.columns,
      PageUp: () => this.at - page, PageDown: () => this.at + page,
      Home: () => row, End: () => row + this.columns - 1,
    };
    const jumps = { "]": () => this.nextPart(1), "[": () => this.nextPart(-1), "}": () => this.nextRegion(1),
      "{": () => this.nextRegion(-1), f: () => this.nextFinding(1), F: () => this.nextFinding(-1), g: () => this.wish.focus() };
    if (moves[event.key]) {
      const to = moves[event.key]();
      if (to >= 0 && (to < this.file.size || event.key === "End" || event.key === "PageDown")) this.select(to);
      else if (event.key === "PageUp") this.select(this.at % this.columns);
    } else if (!event.ctrlKey && jumps[event.key]) jumps[event.key]();
    else return;
    event.preventDefault();
  }

  async nextPart(way) {
    const region = this.regions.at(this.at);
    if (!region) return;
    const here = (await this.file.parts(region, this.at, 1)).parts[0];
    if (!here) return;
    let to = way > 0 ? endOf(here) : here.offset - 1;
    if (to < 0 || to >= this.file.size) return;
    const other = this.regions.at(to);
    const part = other && (await this.file.parts(other, to, 1)).parts[0];
    if (part) this.select(part.offset, part.length);
  }

  nextRegion(way) {
    const { list } = this.regions;
    const next = after(list, this.at, (region) => region.offset);
    const region = way > 0 ? list[next] : list[next - 1]?.offset < this.at ? list[next - 1] : list[next - 2];
    if (region) this.select(region.offset, region.length);
  }

  nextFinding(way) {
    if (this.findings.length === 0) return;
    const later = this.findings.findIndex((finding) => this.rangeOf(finding).offset > this.at);
    const before = this.findings.findLastIndex((finding) => this.rangeOf(finding).offset < this.at);
    const finding = this.findings[way > 0 ? Math.max(later, 0) : before >= 0 ? before : this.findings.length - 1];
    this.goTo(finding.offset, finding.length);
  }

  suggest() {
    const wanted = this.wish.value.trim().toLowerCase();
    this.wish.removeAttribute("aria-invalid");
    const names = new Set();
    for (const { subject } of this.file.regions) {
      if (subject && wanted && subject.toLowerCase().includes(wanted)) names.add(subject);
      if (names.size === 30) break;
    }
    this.choices.replaceChildren(...[...names].map((name) => make("option", { value: name })));
  }

  wishFor(wish) {
    const plain = wish.replace(/[, _]/g, "");
    if (/^(0x[0-9a-f]{1,14}|[0-9]{1,16})$/i.test(plain)) {
      const offset = Number(plain);
      if (offset < this.file.size) return this.goTo(offset);
      return this.refuse(`The file ends at byte ${grouped(this.file.size)}: there is no byte ${grouped(offset)}.`);
    }
    const named = this.file.regions.filter((region) => region.subject === wish);
    const near = named.length > 0 ? named : this.file.regions.filter((region) => wish && region.subject.includes(wish));
    const found = near.find((region) => region.kind === "tensor data") ?? near[0];
    if (!found) return this.refuse(`No key or tensor has this name: ${wish}`);
    this.goTo(found.offset, found.length);
  }

  refuse(why) {
    this.wish.setAttribute("aria-invalid", "true");
    this.say.textContent = why;
  }

  destroy() {
    this.observer.disconnect();
    clearTimeout(this.settling);
    cancelAnimationFrame(this.pending);
    this.root.replaceChildren();
    this.root.classList.remove("laid-open");
  }
}

export function layOpen(root, file) {
  const view = new View(root, file);
  return { goTo: (offset, length = 1) => view.goTo(offset, length), destroy: () => view.destroy() };
}
