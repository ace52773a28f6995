// The tensors as a table that can be sorted by each column.

import {fileText, grouped, h, share, size} from "./dom.js";
import {at, once} from "./metadata.js";
import {table} from "./pager.js";

export function tensorsView(overview, judge, toBytes) {
  const {root, refresh} = table({
    caption: "Tensors", search: "Search tensors", page: 100, empty: "No readable tensors.",
    columns: [
      {label: "Name", kind: "name", sort: "name", cell: ({name}) => fileText(name)},
      {label: "Type", kind: "type", sort: "type", cell: ({type}) => type},
      {label: "Shape", kind: "shape", cell: ({shape}) => shape.map(grouped).join(" × ")},
      {label: "Values", kind: "number wide", sort: "elements", cell: ({elements}) => (elements === null ? "?" : grouped(elements))},
      {label: "Size", kind: "number", sort: "bytes", cell: ({bytes}) => (bytes === null ? "?" : [size(bytes), h("span", {class: "quiet share"}, ` ${share(bytes, overview.size)}`)])},
      {label: "Data at", kind: "offset", sort: "offset", cell: ({offset, bytes}) => at(offset, bytes, toBytes)},
    ],
    rows: (question) => judge.ask("tensors", question),
  });
  return {root, shown: once(refresh)};
}
