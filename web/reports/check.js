// The page of `ggufgate check --format html`: moves the summary to the top and filters. The program wrote
// all text in the page; this script makes no markup.

const summary = document.getElementById("summary");
const files = [...document.querySelectorAll(".file")].map((element) => ({
  element,
  verdict: element.dataset.verdict,
  head: element.firstElementChild.textContent.toLowerCase(),
  findings: [...element.querySelectorAll(".finding")].map((finding) => ({
    element: finding, rule: finding.dataset.rule, severity: finding.dataset.severity,
    text: finding.textContent.toLowerCase(),
  })),
}));

function choice(label, words) {
  const select = document.createElement("select");
  for (const word of ["all", ...words]) select.append(new Option(word, word === "all" ? "" : word));
  return field(label, select);
}

function field(label, control) {
  const wrapped = document.createElement("label");
  wrapped.append(label, control);
  control.addEventListener("input", filter);
  return { wrapped, control };
}

const rules = [...new Set(files.flatMap((file) => file.findings.map((finding) => finding.rule)))].sort();
const present = (words, of) => words.filter((word) => files.some((file) => of(file, word)));
const verdict = choice("Verdict", present(["accept", "reject", "undecided"], (file, word) => file.verdict === word));
const severity = choice("Severity", present(["error", "warning", "note"],
  (file, word) => file.findings.some((finding) => finding.severity === word)));
const rule = choice("Rule", rules);
const text = field("Text", Object.assign(document.createElement("input"), { type: "search", spellcheck: false }));
const shown = document.createElement("output");
shown.setAttribute("role", "status");

function filter() {
  const wanted = text.control.value.trim().toLowerCase();
  let count = 0;
  for (const file of files) {
    const inHead = file.head.includes(wanted);
    let found = 0;
    for (const finding of file.findings) {
      const fits = (!severity.control.value || finding.severity === severity.control.value)
        && (!rule.control.value || finding.rule === rule.control.value) && (inHead || finding.text.includes(wanted));
      finding.element.hidden = !fits;
      found += fits;
    }
    const byFinding = severity.control.value || rule.control.value || !inHead;
    const fits = (!verdict.control.value || file.verdict === verdict.control.value) && (found > 0 || !byFinding);
    file.element.hidden = !fits;
    count += fits;
  }
  shown.value = `${count.toLocaleString("en-US")} of ${files.length.toLocaleString("en-US")} files`;
}

// A click on a number or a rule sets the filter.
function leads(element, control, word) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "chooses" });
  button.append(...element.childNodes);
  button.addEventListener("click", () => {
    for (const each of [verdict, severity, rule, text]) each.control.value = "";
    control.value = word;
    filter();
    filters.scrollIntoView({ block: "start" });
    control.focus({ preventScroll: true });
  });
  element.append(button);
}

function openAll(open) {
  for (const file of files) if (file.element.tagName === "DETAILS") file.element.open = open;
}

const filters = document.createElement("form");
filters.id = "filters";
filters.setAttribute("aria-label", "Filters");
filters.addEventListener("submit", (event) => event.preventDefault());
const button = (word, open) => {
  const element = Object.assign(document.createElement("button"), { type: "button", textContent: word });
  element.addEventListener("click", () => openAll(open));
  return element;
};
filters.append(verdict.wrapped, severity.wrapped, rule.wrapped, text.wrapped, button("Open all", true),
  button("Close all", false), shown);
document.getElementById("files").before(summary, filters);
for (const tile of summary.querySelectorAll(".tiles li")) {
  const word = tile.lastChild.textContent.trim();
  if (files.some((file) => file.verdict === word)) leads(tile, verdict.control, word);
}
for (const row of summary.querySelectorAll("tr[data-rule]")) {
  if (rules.includes(row.dataset.rule)) leads(row.firstElementChild, rule.control, row.dataset.rule);
}
let closed = [];
addEventListener("beforeprint", () => {
  closed = files.filter((file) => file.element.open === false);
  openAll(true);
});
addEventListener("afterprint", () => closed.forEach((file) => { file.element.open = false; }));
filter();
