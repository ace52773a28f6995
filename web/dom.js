// Elements and numbers. All text becomes text nodes. Nothing here can make markup or an address of it.

const ATTRIBUTES = /^(class|id|type|role|scope|for|name|value|placeholder|tabindex|hidden|disabled|open|checked|colspan|lang|dir|autocomplete|spellcheck|inputmode|aria-[a-z]+|data-[a-z]+)$/;

// h("td", {class: "number", click: listener}, "text", element, …): a function as an attribute listens.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (!ATTRIBUTES.test(name)) throw new Error(`no such attribute here: ${name}`);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const SVG = "http://www.w3.org/2000/svg";
const SVG_ATTRIBUTES = /^(class|viewBox|x|y|width|height|rx|d|role|preserveAspectRatio|aria-[a-z]+|data-[a-z]+)$/;

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!SVG_ATTRIBUTES.test(name)) throw new Error(`no such attribute here: ${name}`);
    element.setAttribute(name, value);
  }
  append(element, children);
  return element;
}

// Text from a file, in a fixed-width font, always left to right.
export const fileText = (text, more = "") => h("span", {class: `of-file ${more}`, dir: "ltr"}, text);

// Escapes invisible and reordering characters like the command (src/words/escape.h). The gate already
// escapes text from files; this is only for file names.
const HIDDEN = /[\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\uFFFE\uFFFF]/gu;
const MARKS = /([\p{Mn}\p{Me}]{4})([\p{Mn}\p{Me}]+)/gu;

function escape(character) {
  const code = character.codePointAt(0);
  if (code === 0x5C) return "\\\\";
  const digits = code.toString(16);
  return code < 0x20 || code === 0x7F ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits.padStart(4, "0")}}`;
}

export const escaped = (text) =>
  text.replace(HIDDEN, escape).replace(MARKS, (_, kept, more) => kept + Array.from(more, escape).join(""));

export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
export const hex = (number) => "0x" + BigInt(number).toString(16);
export const count = (number, one, many = `${one}s`) => `${grouped(number)} ${Number(number) === 1 ? one : many}`;

const UNITS = ["kB", "MB", "GB", "TB", "PB", "EB"];

// Sizes as in the command: 3 digits, powers of a thousand.
export function size(bytes) {
  let value = Number(bytes);
  if (value < 1000) return `${value} bytes`;
  let unit = -1;
  while (value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit]}`;
}

export function share(part, whole) {
  const percent = Number(whole) > 0 ? 100 * Number(part) / Number(whole) : 0;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent.toFixed(1)} %`;
}

export function parameters(number) {
  const value = Number(number);
  for (const [limit, unit] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]]) {
    if (value >= limit) return `${(value / limit).toPrecision(3)}${unit}`;
  }
  return String(value);
}
