// The findings in file order, some at a time. Each links to its bytes.

import {count, fileText, grouped, h, hex, replace} from "./dom.js";
import {sentence} from "./verdict.js";

const PAGE = 50;
const KINDS = [["error", "Errors"], ["warning", "Warnings"], ["note", "Notes"]];

export function findingsView(overview, judge, toBytes) {
  const wanted = new Set(KINDS.map(([kind]) => kind));
  let from = 0;
  const list = h("ol", {class: "findings"});
  const where = h("p", {class: "pages-where", role: "status"});
  const move = (label, by) => h("button", {type: "button", class: "button small", click: () => draw(from + by)}, label);
  const back = move("Previous", -PAGE);
  const on = move("Next", PAGE);
  const pages = h("div", {class: "pages"}, where, h("div", {class: "pages-buttons"}, back, on));

  const filters = h("div", {class: "filters", role: "group", "aria-label": "Show"}, KINDS.map(([kind, label]) =>
    h("button", {type: "button", class: `chip ${kind}`, "aria-pressed": "true", disabled: overview.counts[kind] === 0,
                 click: ({currentTarget}) => {
                   if (!wanted.delete(kind)) wanted.add(kind);
                   currentTarget.setAttribute("aria-pressed", String(wanted.has(kind)));
                   draw(0);
                 }}, `${label} ${grouped(overview.counts[kind])}`)));

  async function draw(begin) {
    const {total, rows} = await judge.ask("findings", {from: Math.max(0, begin), count: PAGE, severities: [...wanted]});
    from = Math.max(0, begin);
    replace(list, rows.map((finding) => item(finding, toBytes)));
    where.textContent = total > PAGE ? `${grouped(from + 1)} to ${grouped(from + rows.length)} of ${grouped(total)}`
      : count(total, "finding");
    pages.classList.toggle("single", total <= PAGE);
    back.disabled = from === 0;
    on.disabled = from + rows.length >= total;
  }

  const hidden = overview.more.length ? h("p", {class: "quiet more"}, "At most 20 findings per rule are shown. Total: ",
    overview.more.map(({rule, total}, index) => [index ? ", " : "", h("code", {}, rule), ` ${count(total, "time")}`]), ".") : null;
  const none = h("p", {class: "nothing"}, "Nothing was found.");
  const root = h("div", {}, overview.findings ? [filters, list, pages, hidden] : none);
  return {root, shown: () => (overview.findings ? draw(from) : undefined)};
}

function item({severity, rule, path, message, offset, length, cause, what}, toBytes) {
  return h("li", {class: `finding ${severity}`},
    h("p", {class: "finding-top"}, h("span", {class: `severity ${severity}`}, severity), " ", h("code", {class: "rule"}, rule),
      offset === null ? null : h("button", {type: "button", class: "to-bytes", click: () => toBytes(offset, length)},
        h("span", {class: "hidden"}, "Show the bytes at "), hex(offset))),
    path ? h("p", {class: "finding-path"}, fileText(path)) : null,
    h("p", {class: "finding-message"}, fileText(message, "prose")),
    cause ? h("p", {class: "cause"}, h("strong", {}, fileText(sentence(cause.message), "prose")), cause.advice ? ` ${sentence(cause.advice)}` : "") : null,
    what ? h("p", {class: "quiet what"}, sentence(what)) : null);
}
