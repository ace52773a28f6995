// The layout drawn to scale: the whole file, and separately its header, which is too thin next to gigabytes
// of tensors.

import {count, fileText, grouped, h, hex, replace, share, size, svg} from "./dom.js";
import {at} from "./metadata.js";
import {table} from "./pager.js";

const COLUMNS = 512;
const ROW = 14;  // height of a row, in units of the drawing; its width is COLUMNS

const LABELS = {
  "header": "Header", "metadata": "Metadata", "tensor info": "Tensor directory", "tensor data": "Tensor data",
  "padding": "Padding", "gap": "Gap", "trailing bytes": "Trailing bytes", "not read": "Not read",
};

const css = (kind) => `kind-${kind.replaceAll(" ", "-")}`;

export function layoutView(overview, judge, toBytes) {
  const root = h("div", {class: "layout"});
  let done = false;
  async function shown() {
    if (done) return;
    done = true;
    replace(root, h("p", {class: "quiet", role: "status"}, "Drawing…"));
    const whole = await judge.ask("layout", {from: 0, to: overview.size, cells: COLUMNS * 16});
    const parts = [drawing("The whole file", whole, 16, toBytes)];
    if (whole.headerEnd > 0 && whole.headerEnd < overview.size / 4) {
      const header = await judge.ask("layout", {from: 0, to: whole.headerEnd, cells: COLUMNS * 4});
      parts.push(drawing("Its header alone", header, 4, toBytes));
    }
    const list = table({
      caption: "Regions", page: 100,
      columns: [
        {label: "Begins", kind: "offset", cell: ({offset, length}) => at(offset, length, toBytes)},
        {label: "Size", kind: "number", cell: ({length}) => grouped(length)},
        {label: "What", kind: "value", cell: ({kind, name}) => [swatch(kind), LABELS[kind] ?? kind, " ", fileText(name ?? "")]},
      ],
      rows: (question) => judge.ask("regions", question),
    });
    replace(root, parts, legend(whole, overview), h("h3", {}, "Every region"), list.root);
    await list.refresh();
  }
  return {root, shown};
}

const swatch = (kind) => h("span", {class: `swatch ${css(kind)}`, "aria-hidden": "true"});

function legend({kinds}, {size: bytes}) {
  return h("ul", {class: "legend"}, kinds.map(({kind, bytes: taken, regions}) => h("li", {},
    swatch(kind), h("span", {}, LABELS[kind] ?? kind), h("span", {class: "quiet"}, ` ${size(taken)}, ${share(taken, bytes)}`,
      regions > 1 ? `, ${count(regions, "region")}` : ""))));
}

function drawing(title, {from, to, runs}, rows, toBytes) {
  const rects = runs.flatMap((run) => split(run).map(([row, begin, length]) => svg("rect", {
    x: begin, y: row * ROW, width: length, height: ROW - 2, class: `${css(run.kind)}${run.odd ? " odd" : ""}`,
    "data-run": run.index,
  })));
  const image = svg("svg", {viewBox: `0 0 ${COLUMNS} ${rows * ROW - 2}`, preserveAspectRatio: "none", role: "img",
                            class: `map rows-${rows}`, "aria-label": `${title}, ${size(to - from)}, drawn to scale; the list below says the same`}, rects);
  const told = h("p", {class: "map-told quiet"}, `One line is ${size(Math.round((to - from) / rows))}.`);
  const tell = ({target}) => {
    const run = runs[target.dataset?.run];
    if (run) replace(told, `${hex(run.offset)}  ${LABELS[run.kind] ?? run.kind}  `, fileText(run.name ?? ""), run.several ? " and others" : "");
  };
  image.addEventListener("pointermove", tell);
  image.addEventListener("click", ({target}) => {
    const run = runs[target.dataset?.run];
    if (run) toBytes(run.offset, run.length);
  });
  return h("figure", {}, h("figcaption", {}, title, h("span", {class: "quiet"}, ` ${size(to - from)}`)), image, told);
}

// A run of cells, in rows.
function split({cell, cells}) {
  const parts = [];
  for (let at = cell; at < cell + cells;) {
    const row = Math.floor(at / COLUMNS);
    const end = Math.min(cell + cells, (row + 1) * COLUMNS);
    parts.push([row, at - row * COLUMNS, end - at]);
    at = end;
  }
  return parts;
}
