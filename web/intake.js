// How a file comes in: dropped, chosen, or by its address.

import {addressSource, fileSource} from "./sources.js";

export function takeIn({drop, input, form, address, take, trouble}) {
  input.addEventListener("change", () => {
    if (input.files.length) take([...input.files].map(fileSource));
    input.value = "";  // so that the same file can be chosen again
  });

  // The whole window takes a file: dropped beside the field it would else be opened in the page's place.
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
    const files = [...event.dataTransfer.files];
    if (files.length) take(files.map(fileSource));
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      take([addressSource(address.value.trim())]);
    } catch (error) {
      trouble(error.message);
    }
  });
}
