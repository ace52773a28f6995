// Reads GGUF files with a reader from npm and prints its result as one line of JSON per file; asking.py
// describes the format. It calls the reader as its documentation shows, and does not repair its results.
//
// usage: node read.mjs READER FOLDER    READER: huggingface, hyllama or node-llama-cpp
//                                       FOLDER: where scripts/fetch-reference put the readers

import {readFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";

const [reader, folder] = process.argv.slice(2);
const load = (...parts) => import(pathToFileURL(join(folder, ...parts)).href);

// Text has one character for each byte, so that different texts always stay different.
const bytesOf = (text) => Buffer.from(text, "utf8").toString("latin1");

// An integral number becomes its digits, for a number and for a bigint. Any other number becomes its bits.
function number(value) {
  if (typeof value === "bigint") return "n" + value;
  if (Number.isNaN(value)) return "nan";
  if (Object.is(value, -0)) return "-0";
  if (Number.isInteger(value)) return "n" + BigInt(value);
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return "f" + bits.toString("hex");
}

function canonical(value, text) {
  if (typeof value === "string") return "s" + text(value);
  if (typeof value === "number" || typeof value === "bigint") return number(value);
  if (Array.isArray(value)) return value.map((element) => canonical(element, text));
  return typeof value === "boolean" ? value : "?" + typeof value;
}

const tensor = (name, shape, type, offset, absolute) =>
  [name, shape.map(String), Number(type), String(offset), absolute === null ? null : String(absolute), null];

// A count of the header that a key of the file took the place of is no number any more.
const plain = (value) => (typeof value === "number" || typeof value === "bigint" ? String(value) : "?");

async function huggingface() {
  const {gguf} = await load("huggingface", "package", "dist", "index.mjs");
  const own = ["version", "tensor_count", "kv_count"];  // of the reader, among the keys of the file
  return async (path) => {
    const read = await gguf(path, {typedMetadata: true, allowLocalFile: true});
    const {metadata, typedMetadata} = read;
    const keys = Object.entries(metadata).filter(([key]) => !own.includes(key));
    return {
      version: plain(metadata.version),
      tensor_count: plain(metadata.tensor_count),
      keys: keys.map(([key, value]) => [bytesOf(key), typedMetadata[key]?.type ?? null,
        typedMetadata[key]?.subType ?? null, canonical(value, bytesOf)]),
      tensors: read.tensorInfos.map((t) =>
        tensor(bytesOf(t.name), t.shape, t.dtype, t.offset, read.tensorDataOffset + t.offset)),
    };
  };
}

async function hyllama() {
  const {ggufMetadata} = await load("hyllama", "package", "src", "hyllama.js");
  const same = (text) => text;  // it makes a character of each byte itself
  return async (path) => {
    const file = readFileSync(path);
    const {metadata, tensorInfos} =
      ggufMetadata(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
    const keys = Object.entries(metadata).filter(([key]) => !["version", "tensorCount"].includes(key));
    return {
      version: plain(metadata.version),
      tensor_count: plain(metadata.tensorCount),
      keys: keys.map(([key, value]) => [key, null, null, canonical(value, same)]),
      tensors: tensorInfos.map((t) => tensor(t.name, t.shape, t.type, t.offset, null)),
    };
  };
}

// node-llama-cpp makes objects within objects of keys with dots. flat undoes that.
function flat(object, prefix, out) {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === "object" && !Array.isArray(value)) flat(value, prefix + name + ".", out);
    else out.push([prefix + name, value]);
  }
  return out;
}

// stands: is the value of a key where a program asks for it, `metadata.a.b` for "a.b"? Behind two
// keys (noDirectSubNestingGGufMetadataKeys in dist/gguf/consts.js) the rest is one name.
function stands(metadata, key, whole) {
  const parts = key.split(".");
  let object = metadata;
  const before = [];
  while (parts.length > 0) {
    let name = parts.shift();
    while (whole.includes([...before, name].join(".")) && parts.length > 0) name += "." + parts.shift();
    if (typeof object !== "object" || Array.isArray(object) || !Object.hasOwn(object, name)) return false;
    object = object[name];
    before.push(name);
  }
  return true;
}

async function nodeLlamaCpp() {
  const dist = ["node-llama-cpp", "package", "dist", "gguf"];
  const {parseGguf} = await load(...dist, "parser", "parseGguf.js");
  const {GgufFsFileReader} = await load(...dist, "fileReaders", "GgufFsFileReader.js");
  const {noDirectSubNestingGGufMetadataKeys: whole} = await load(...dist, "consts.js");
  return async (path) => {
    const fileReader = new GgufFsFileReader({filePath: path});
    const read = await parseGguf({fileReader, logWarnings: false});
    const keys = flat(read.metadata, "", []);
    return {
      version: plain(read.version),
      tensor_count: plain(read.tensorCount),
      keys: keys.map(([key, value]) => [bytesOf(key), null, null, canonical(value, bytesOf)]),
      misplaced: keys.filter(([key]) => !stands(read.metadata, key, whole)).map(([key]) => bytesOf(key)),
      tensors: read.tensorInfo.map((t) =>
        tensor(bytesOf(t.name), t.dimensions, t.ggmlType, t.offset, t.fileOffset)),
    };
  };
}

const read = await {huggingface, hyllama, "node-llama-cpp": nodeLlamaCpp}[reader]();
console.log("ready");
for await (const path of createInterface({input: process.stdin})) {
  let answer;
  try {
    answer = {reading: await read(path)};
  } catch (error) {
    answer = {refused: String(error?.message ?? error)};
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
