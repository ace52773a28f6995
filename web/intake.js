// Input: a file is dropped, chosen, or given by its address.

import {filesIn} from "./folders.js";
import {addressSource, fileSource} from "./sources.js";

export function takeIn({drop, input, form, address, take, trouble}) {
  input.addEventListener("change", () => {
    if (input.files.length) take([...input.files].map((file) => fileSource(file)));
    input.value = "";  // so that the same file can be chosen again
  });

  // The whole window accepts a file. Otherwise a file dropped next to the field would replace the page.
  let inside = 0;
  const light = (on) => {
    inside = Math.max(0, inside + (on ? 1 : -1));
    drop.classList.toggle("over", inside > 0);
  };
  addEventListener("dragenter", () => light(true));
  addEventListener("dragleave", () => light(false));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    drop.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = [...event.dataTransfer.files];
    if (entries.some(({isDirectory}) => isDirectory)) takeFolders(entries);
    else if (files.length) take(files.map((file) => fileSource(file)));
  });

  async function takeFolders(entries) {
    const {sources, notes} = await filesIn(entries);
    if (sources.length) take(sources, notes);
    else trouble(["There is no GGUF file in the folder, so nothing was checked.", ...notes].join(" "));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      take([addressSource(address.value.trim())]);
    } catch (error) {
      trouble(error.message);
    }
  });
}
