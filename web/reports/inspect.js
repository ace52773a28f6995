// The page of `ggufgate inspect --format html`: passes the embedded data to layOpen().

const data = JSON.parse(document.getElementById("file").textContent);
const indexes = new Map(data.regions.map((region, index) => [region, index]));
const stretches = data.stretches.map(([offset, length]) => [offset, length]);
const held = data.stretches.map(([offset, , text]) => {
  const characters = atob(text);
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  return { offset, bytes };
});

function bytes(offset, length) {
  const stretch = held.find((one) => one.offset <= offset && offset < one.offset + one.bytes.length);
  return stretch ? stretch.bytes.subarray(offset - stretch.offset, offset - stretch.offset + length) : new Uint8Array();
}

const number = (value) => value.toLocaleString("en-US");

// The blocks of a tensor follow from its type; see BlockText in src/words/part_text.cc.
function block(region, { bytes: size, values, type, row, number: kind }, index) {
  const offset = region.offset + index * size;
  const length = Math.min(size, region.offset + region.length - offset);
  const first = BigInt(index) * BigInt(values);
  const span = values === 1 ? ` ${number(first)}` : `s ${number(first)} to ${number(first + BigInt(values - 1))}`;
  const place = BigInt(row) > 0n
    ? `, row ${number(first / BigInt(row))}${values === 1 ? ", column " : " from column "}${number(first % BigInt(row))}` : "";
  const cut = length < size ? "; cut off by the end of the file" : "";
  return { offset, length, name: `block ${number(index)}`, meaning: `${type}: value${span}${place}${cut}`, number: kind };
}

function blocks(region, shape, from, most) {
  const end = region.offset + region.length;
  const list = [];
  let index = Math.floor((from - region.offset) / shape.bytes);
  for (; list.length < most && region.offset + index * shape.bytes < end; ++index) list.push(block(region, shape, index));
  return { parts: list, next: list.length > 0 ? list.at(-1).offset + list.at(-1).length : end };
}

// Other regions have runs of parts; the parts between them are not in the page.
function parts(region, from, most) {
  const index = indexes.get(region);
  const end = region.offset + region.length;
  if (data.blocks[index]) return blocks(region, data.blocks[index], from, most);
  const list = [];
  let at = region.offset;
  const add = (length, name, meaning) => {
    if (at + length > from && list.length < most) list.push({ offset: at, length, name, meaning });
    at += length;
  };
  const gap = (to) => { if (to > at) add(to - at, "fields that are not in this page", "see ggufgate inspect --at"); };
  for (const [begin, run] of data.parts[index] ?? []) {
    gap(begin);
    for (const part of run) add(...part);
  }
  gap(end);
  return { parts: list, next: list.length > 0 ? list.at(-1).offset + list.at(-1).length : end };
}

layOpen(document.getElementById("view"), { ...data, stretches, parts, bytes });
