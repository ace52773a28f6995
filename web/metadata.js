// The metadata: every key with type and value. Long texts and arrays open in a dialog.

import {showText, show} from "./dialog.js";
import {fileText, grouped, h, hex} from "./dom.js";
import {table} from "./pager.js";

export function metadataView(overview, judge, toBytes) {
  const {root, refresh} = table({
    caption: "Metadata", search: "Search keys and values", page: 100,
    empty: "No readable metadata.",
    columns: [
      {label: "Key", kind: "name", sort: "key", cell: ({key}) => fileText(key)},
      {label: "Type", kind: "type", cell: typeOf},
      {label: "Value", kind: "value", cell: (row) => value(row, judge)},
      {label: "At", kind: "offset", sort: "offset", cell: ({offset, length}) => at(offset, length, toBytes)},
    ],
    rows: (question) => judge.ask("keys", question),
  });
  return {root, shown: once(refresh)};
}

export function once(action) {
  let done = null;
  return () => (done ??= action());
}

export const at = (offset, length, toBytes) => (offset === null ? "" : h("button", {
  type: "button", class: "to-bytes", click: () => toBytes(offset, length)},
  h("span", {class: "hidden"}, "Show the bytes at "), hex(offset)));

const typeOf = ({type, elementType, elements}) => (elementType ? [elementType, h("span", {class: "quiet"}, ` × ${grouped(elements)}`)] : type);

function value({index, key, preview, cut, elementType, elements, characters}, judge) {
  const open = elementType
    ? () => showElements(key, index, elementType, elements, judge)
    : () => showText(key, characters, (from) => judge.ask("text", {index, from}));
  return [fileText(preview), cut ? [" ", h("button", {type: "button", class: "link", click: open},
    elementType ? "all elements" : "all of it")] : null];
}

async function showElements(key, index, type, total, judge) {
  const {root, refresh} = table({
    caption: `Elements of ${key}`, page: 200, search: type === "array" ? undefined : "Search elements",
    columns: [{label: "Index", kind: "number", cell: ({index: n}) => grouped(n)},
              {label: "Value", kind: "value", cell: ({preview}) => fileText(preview)}],
    rows: (question) => judge.ask("elements", {index, ...question}),
  });
  show(key, root);
  await refresh();
}
