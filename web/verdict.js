// The verdict and a description of the file.

import {count, fileText, grouped, h, parameters, size, svg} from "./dom.js";

export const verdicts = {
  accept: {word: "Accepted", sign: "M5 12.5 10 17.5 19 7"},
  reject: {word: "Rejected", sign: "M6.5 6.5 17.5 17.5 M17.5 6.5 6.5 17.5"},
  undecided: {word: "Undecided", sign: "M12 6.5V13 M12 17v.01"},
};

function explanation({verdict, problem, counts, more}) {
  if (verdict === "undecided") return `${sentence(problem ?? "it could not be checked")} Do not load it either.`;
  // Only the first findings of each rule are listed.
  if (verdict === "reject") return `Do not load this file: ${more.length ? "more than " : ""}${count(counts.error, "error")}.`;
  const warned = counts.warning ? `; there ${counts.warning === 1 ? "is" : "are"} ${count(counts.warning, "warning")}` : "";
  return `No error in header, metadata, tensor layout, tokenizer and chat template${warned}. Tensor data were not checked.`;
}

function facts({size: bytes, summary, milliseconds, taken}) {
  const rows = [["Size", size(bytes)]];
  if (summary.architecture) rows.unshift(["Architecture", fileText(summary.architecture)]);
  if (summary.parameters) rows.push(["Parameters", parameters(summary.parameters)]);
  if (summary.main_type) rows.push(["Mostly", summary.main_type]);
  if (summary.version) {  // 0: the header could not be parsed
    rows.push(["Tensors", grouped(summary.tensors)], ["Keys", grouped(summary.metadata_keys)],
              ["Version", `GGUF ${summary.version}`]);
  }
  rows.push(["Read", size(taken)]);
  rows.push(["Took", `${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`]);
  return h("dl", {class: "facts"}, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

export function verdictCard(overview) {
  const {word, sign} = verdicts[overview.verdict];
  return h("section", {class: `verdict ${overview.verdict}`, "aria-label": "Verdict"},
    svg("svg", {class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true"}, svg("path", {d: sign})),
    h("div", {class: "verdict-text"},
      h("p", {class: "verdict-file"}, fileText(overview.name)),
      h("h2", {tabindex: "-1"}, word),
      h("p", {class: "verdict-why"}, explanation(overview)),
      overview.shards > 1 ? h("p", {class: "cause"}, `This is one of ${count(overview.shards, "shard")} of a model, and was ` +
        "checked alone. The command checks all of them together.") : null,
      overview.causes.map(({message, advice}) => h("p", {class: "cause"}, h("strong", {}, sentence(message)), advice ? ` ${sentence(advice)}` : ""))),
    facts(overview));
}

export const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? "" : "."}`;
