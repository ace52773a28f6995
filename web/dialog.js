// Shows text that is too long for its row in a dialog, one page at a time.

import {grouped, h, replace} from "./dom.js";

export function show(title, content) {
  const close = h("button", {type: "button", class: "button small", click: () => dialog.close()}, "Close");
  const dialog = h("dialog", {class: "sheet", "aria-labelledby": "sheet-title", close: () => dialog.remove()},
    h("div", {class: "sheet-top"}, h("h2", {id: "sheet-title"}, title), close), content);
  document.body.append(dialog);
  dialog.showModal();
}

// showText shows text of `length` characters. `part(from)` returns {text, next}.
export async function showText(title, length, part) {
  const text = h("pre", {class: "of-file long", tabindex: "0", dir: "ltr"});
  const where = h("p", {class: "pages-where", role: "status"});
  const starts = [0];
  let next = 0;
  const turn = async (from) => {
    const answer = await part(from);
    replace(text, answer.text);
    next = answer.next;
    where.textContent = `characters ${grouped(from + 1)} to ${grouped(next)} of ${grouped(length)}`;
    back.disabled = starts.length === 1;
    on.disabled = next >= length;
  };
  const back = h("button", {type: "button", class: "button small", click: () => {
    starts.pop();
    turn(starts.at(-1));
  }}, "Previous");
  const on = h("button", {type: "button", class: "button small", click: () => {
    starts.push(next);
    turn(next);
  }}, "Next");
  const pages = h("div", {class: "pages"}, where, h("div", {class: "pages-buttons"}, back, on));
  await turn(0);
  if (next >= length) pages.classList.add("single");
  show(title, [text, pages]);
}
