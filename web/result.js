// The result for one file: the verdict, and below it one view of the file.

import {bytesView} from "./bytes.js";
import {grouped, h, replace} from "./dom.js";
import {findingsView} from "./findings.js";
import {layoutView} from "./layout.js";
import {metadataView} from "./metadata.js";
import {tensorsView} from "./tensors.js";
import {verdictCard} from "./verdict.js";

export function showResult(root, overview, judge) {
  const bytes = bytesView(overview, judge);
  const toBytes = async (offset, length) => {
    tabs.select("bytes");
    await bytes.go(offset, length);
    tabs.root.scrollIntoView({block: "start"});
  };
  const views = [
    {id: "findings", label: "Findings", number: overview.findings, make: () => findingsView(overview, judge, toBytes)},
    {id: "metadata", label: "Metadata", number: overview.keys, make: () => metadataView(overview, judge, toBytes)},
    {id: "tensors", label: "Tensors", number: overview.tensors, make: () => tensorsView(overview, judge, toBytes)},
    {id: "layout", label: "Layout", make: () => layoutView(overview, judge, toBytes)},
    {id: "bytes", label: "Bytes", make: () => bytes},
  ];
  const tabs = tabbed(views);
  replace(root, verdictCard(overview), tabs.root);
  tabs.select(overview.findings ? "findings" : "metadata");
}

// Draws an invisible result and removes it before it is painted. Fonts are then loaded and scripts compiled before the
// first verdict.
export function drawOnce(root) {
  const counts = {error: 1, warning: 0, note: 0};
  const overview = {name: "model.gguf", size: 1, verdict: "reject", summary: {architecture: "llama"}, counts, taken: 1, shards: 1,
    findings: 0, keys: 1, tensors: 1, causes: [{message: "none", advice: "none"}], more: [], milliseconds: 1};
  showResult(root, overview, {ask: () => new Promise(() => {})});
  root.hidden = false;
  document.body.classList.add("judged");
  root.getBoundingClientRect();
  document.body.classList.remove("judged");
  root.hidden = true;
  replace(root);
}

// Tabs as in the ARIA practices: the Tab key reaches one of them, arrows move between them. The contents of
// a tab are made at its first use.
function tabbed(views) {
  const made = new Map();
  const panel = h("div", {class: "panel", role: "tabpanel", id: "panel", tabindex: "-1"});
  const buttons = views.map(({id, label, number}, index) => h("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", "aria-selected": "false", tabindex: "-1",
    click: () => select(id),
    keydown: (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1, Home: -index, End: views.length - 1 - index}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const to = (index + step + views.length) % views.length;
      buttons[to].focus();
      select(views[to].id);
    },
  }, label, number === undefined ? null : h("span", {class: "number-of"}, ` ${grouped(number)}`)));

  async function select(id) {
    for (const [index, view] of views.entries()) {
      buttons[index].setAttribute("aria-selected", String(view.id === id));
      buttons[index].setAttribute("tabindex", view.id === id ? "0" : "-1");
    }
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    if (!made.has(id)) made.set(id, views.find((view) => view.id === id).make());
    const view = made.get(id);
    replace(panel, view.root);
    await view.shown?.();
  }
  return {root: h("div", {}, h("div", {class: "tabs", role: "tablist", "aria-label": "Views of the file"}, buttons), panel), select};
}
