// The list of files with their verdicts, and the selected file.

import {count, fileText, h, replace} from "./dom.js";
import {verdicts} from "./verdict.js";

const MOST = 200;  // use the command for larger folders

export class FileList {
  #root;
  #open;
  #entries = [];
  #batch = 0;
  #notes = [];

  constructor(root, open) {
    this.#root = root;
    this.#open = open;
  }

  // Checks new files one after the other, then shows the worst one. `notes` names the files that are left out.
  async add(sources, notes = []) {
    const left = sources.length - MOST;
    this.#notes = left > 0 ? [...notes, `Only the first ${MOST} files are checked: ${count(left, "more was", "more were")} ` +
      "not. The command ggufgate check has no such limit."] : notes;
    const entries = sources.slice(0, MOST).map((source) => ({source, verdict: null}));
    this.#entries = sources.length > 1 ? entries : [...this.#entries.filter(
      ({source}) => source.name !== sources[0].name), ...entries];
    this.#draw();
    const batch = ++this.#batch;
    for (const {source} of entries) {
      await this.#open(source);
      if (batch !== this.#batch) return;  // newer files, or a selection from the list
    }
    if (entries.length > 1) await this.#open(worst(entries).source);
  }

  #pick(source) {
    ++this.#batch;
    this.#open(source);
  }

  judged(source, {verdict}) {
    this.#set(source, verdict);
  }

  failed(source) {
    this.#set(source, "undecided");
  }

  #set(source, verdict) {
    for (const entry of this.#entries) {
      entry.shown = entry.source === source;
      if (entry.shown) entry.verdict = verdict;
    }
    this.#draw();
  }

  #draw() {
    this.#root.hidden = this.#entries.length < 2 && this.#notes.length === 0;
    replace(this.#root, h("ul", {}, this.#entries.map((entry) => h("li", {},
      h("button", {type: "button", class: `file ${entry.verdict ?? "waiting"}`, "aria-current": entry.shown ? "true" : null,
                   click: () => this.#pick(entry.source)},
        h("span", {class: "file-verdict"}, entry.verdict ? verdicts[entry.verdict].word : "Waiting"),
        fileText(entry.source.name))))), this.#notes.map((note) => h("p", {class: "files-note"}, note)));
  }
}

const ORDER = ["reject", "undecided", "accept"];
const worst = (entries) => entries.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))[0];
