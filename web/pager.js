// A table with any number of rows. Only one page is in the document.

import {count, grouped, h, replace} from "./dom.js";

const WAIT = 150;  // milliseconds of quiet before a search begins
const SLOW = 300;  // milliseconds until a table shows that it is busy

// table({caption, columns, rows, search, sort, page, empty}) gives {root, refresh}.
//   columns  {label, cell(row) → node or text, sort: name or undefined, kind: class of the cells}
//   rows     async ({from, count, query, sort, descending}) → {total, rows}
//   search   label of the search field; without a label there is no field
export function table({caption, columns, rows, search, page = 100, empty = "There is nothing."}) {
  const state = {from: 0, query: "", sort: undefined, descending: false, turn: 0};
  const body = h("tbody", {role: "rowgroup"});
  const status = h("p", {class: "pages-where", role: "status"});
  const buttons = [
    ["First", () => 0], ["Previous", () => Math.max(0, state.from - page)],
    ["Next", () => state.from + page], ["Last", (total) => Math.floor((total - 1) / page) * page],
  ].map(([label, to]) => ({label, to, element: h("button", {type: "button", class: "button small"}, label)}));
  const pages = h("div", {class: "pages"}, status, h("div", {class: "pages-buttons"}, buttons.map(({element}) => element)));
  let total = 0;
  for (const {element, to} of buttons) {
    element.addEventListener("click", () => {
      state.from = to(total);
      refresh();
    });
  }

  const heads = columns.map((column) => head(column, state, () => {
    heads.forEach((each) => each.update());
    state.from = 0;
    refresh();
  }));
  const view = h("div", {class: "table-view", tabindex: "0", role: "region", "aria-label": caption},
    h("table", {role: "table", "aria-label": caption},
      h("thead", {role: "rowgroup"}, h("tr", {role: "row"}, heads.map(({element}) => element))), body));

  async function refresh() {
    const turn = ++state.turn;
    const busy = setTimeout(() => {
      if (turn === state.turn) status.textContent = "Looking through the list…";
    }, SLOW);
    const answer = await rows({from: state.from, count: page, query: state.query, sort: state.sort,
                               descending: state.descending}).finally(() => clearTimeout(busy));
    if (turn !== state.turn) return;  // a newer request exists
    ({total} = answer);
    replace(body, answer.rows.map((row) => h("tr", {role: "row"}, columns.map((column) => cell(column, row)))));
    view.scrollTop = 0;
    const last = state.from + answer.rows.length;
    status.textContent = total === 0 ? (state.query ? "Nothing matches." : empty)
      : total > page ? `${grouped(state.from + 1)} to ${grouped(last)} of ${grouped(total)}` : count(total, "row");
    pages.classList.toggle("single", total <= page);
    view.hidden = total === 0;
    const [first, previous, next, end] = buttons;
    first.element.disabled = previous.element.disabled = state.from === 0;
    next.element.disabled = end.element.disabled = last >= total;
  }

  const root = h("div", {class: "paged"}, search ? searchField(search, (query) => {
    state.query = query;
    state.from = 0;
    refresh();
  }) : null, view, pages);
  return {root, refresh};
}

// The roles repeat those of the elements, because style sheets turn rows into cards.
const cell = (column, row) => (column.kind === "name"
  ? h("th", {class: column.kind, scope: "row", role: "rowheader"}, column.cell(row))
  : h("td", {class: column.kind ?? "", role: "cell"}, column.cell(row)));

function head(column, state, changed) {
  if (!column.sort) return {element: h("th", {scope: "col", role: "columnheader", class: column.kind ?? ""}, column.label), update() {}};
  const arrow = h("span", {class: "arrow", "aria-hidden": "true"});
  const element = h("th", {scope: "col", role: "columnheader", class: column.kind ?? "", "aria-sort": "none"},
    h("button", {type: "button", click: () => {
      state.descending = state.sort === column.sort && !state.descending;
      state.sort = column.sort;
      changed();
    }}, column.label, arrow));
  return {element, update() {
    const mine = state.sort === column.sort;
    element.setAttribute("aria-sort", !mine ? "none" : state.descending ? "descending" : "ascending");
  }};
}

let fields = 0;

export function searchField(label, search) {
  const id = `search-${++fields}`;
  let timer;
  const input = h("input", {id, type: "search", autocomplete: "off", spellcheck: "false", input: () => {
    clearTimeout(timer);
    timer = setTimeout(() => search(input.value), WAIT);
  }});
  return h("div", {class: "search"}, h("label", {for: id}, label), input);
}
