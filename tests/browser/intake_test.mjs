// Tests the input of the page other than a single model: folders, many files, other files, pasted addresses.

import assert from "node:assert/strict";
import {copyFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";

import {barriers} from "./chromium.mjs";
import {gguf} from "./gguf.mjs";
import {atPage, corpus, skip} from "./page.mjs";

const at = atPage("intake");
const {start, written} = at;

// Drops files and folders of the system on the page, like a visitor.
async function drop({debug}, files) {
  const data = {items: [], files, dragOperationsMask: 1};
  for (const type of ["dragEnter", "dragOver", "drop"]) await debug.send("Input.dispatchDragEvent", {type, x: 300, y: 300, data});
}

const saysNext = (page, pattern) => page.waitForFunction((expected) => {
  const text = document.querySelector("#trouble:not([hidden]), #result:not([hidden])")?.parentElement.innerText ?? "";
  return new RegExp(expected).test(text);
}, pattern.source);

test("a folder is searched as the command searches it", {skip}, async () => {
  const opened = await start();
  const {page} = opened;
  written("models/notes.txt", "none of ours");
  copyFileSync(corpus("valid", "sample-llama.gguf"), written("models/inner/WITHOUT-EXTENSION", ""));
  written("models/inner/broken.GGUF", "Entry not found");
  await drop(opened, [join(at.folder, "models")]);
  await page.waitForFunction(() => document.querySelector("#result:not([hidden]) .verdict-file")?.textContent === "models/inner/broken.GGUF" &&
    !document.querySelector("#files .waiting"));
  assert.deepEqual(await page.$$eval("#files button", (all) => all.map((each) => each.innerText.split(/\s+/))),
    [["Accepted", "models/inner/WITHOUT-EXTENSION"], ["Rejected", "models/inner/broken.GGUF"]]);
  assert.match(await page.textContent("#files"), /1 other file was skipped/);
  assert.deepEqual(await barriers(page), []);

  written("nothing/notes.txt", "none of ours");
  await drop(opened, [join(at.folder, "nothing")]);
  await saysNext(page, /There is no GGUF file in the folder, so nothing was checked/);
  await opened.close();
});

test("of more files than are judged the rest is told", {skip}, async () => {
  const opened = await start();
  const said = (many) => opened.page.evaluate(async (number) => {
    const {FileList} = await import("/files.js");
    const list = document.createElement("nav");
    const judged = [];
    await new FileList(list, (source) => judged.push(source)).add(Array.from({length: number}, (_, at) => ({name: `${at}`})));
    return [list.querySelector(".files-note")?.textContent ?? null, new Set(judged).size];
  }, many);
  assert.deepEqual(await said(200), [null, 200]);
  const [note, judged] = await said(203);
  assert.match(note, /first 200 files are checked: 3 more were not/);
  assert.equal(judged, 200);
  await opened.close();
});

test("what is no model is told by what it is", {skip}, async () => {
  const opened = await start();
  for (const [name, bytes, pattern] of [
    ["notes.txt", "Entry not found", /Do not load this file: 1 error[^]*This is text, not a model/],
    ["picture.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), /This is a picture/],
  ]) {
    await opened.page.setInputFiles("#file", written(name, bytes));
    await saysNext(opened.page, pattern);
    assert.doesNotMatch(await opened.page.textContent(".facts"), /GGUF 0|Tensors/);
  }
  await opened.close();
});

test("a shard is recognised by its name too; an accepted file names the unchecked data", {skip}, async () => {
  const opened = await start();
  const shard = join(at.folder, "m-00002-of-00003.gguf");
  copyFileSync(corpus("valid", "sample-llama.gguf"), shard);
  await opened.page.setInputFiles("#file", shard);
  await saysNext(opened.page, /Tensor data were not checked\.[^]*one of 3 shards of a model, and was checked alone/);
  await opened.close();
});

test("of a rule that is broken often it is said that there is more", {skip}, async () => {
  const opened = await start();
  await opened.page.setInputFiles("#file", written("often.gguf", gguf({
    metadata: [["general.architecture", "test"]], tensors: Array.from({length: 40}, () => ({name: "same", shape: [8], offset: 0})), data: 32,
  })));
  await saysNext(opened.page, /Do not load this file: more than \d+ errors/);
  await opened.close();
});

test("a file that is gone is told in a whole sentence", {skip}, async () => {
  const opened = await start();
  const {page} = opened;
  const gone = written("gone.gguf", "");
  copyFileSync(corpus("valid", "sample-llama.gguf"), gone);
  await page.setInputFiles("#file", [gone, corpus("invalid", "damage-cut-short.gguf")]);
  await page.waitForFunction(() => document.querySelectorAll("#files .waiting").length === 0 &&
    document.querySelector("#result:not([hidden]) .verdict-file")?.textContent === "damage-cut-short.gguf");
  rmSync(gone);
  await page.click("#files button:has-text('gone.gguf')");
  await saysNext(page, /Undecided\s+The file (is not there any more|cannot be read, or has changed since it was chosen)\. Do not load it either/);
  await opened.close();
});

test("addresses are taken as people paste them", {skip}, async () => {
  const opened = await start();
  const {page} = opened;
  const asked = [];
  await page.route(/^https:\/\//, (route) => {
    asked.push(route.request().url());
    return route.fulfill({status: 404, headers: {"Access-Control-Allow-Origin": "*"}});
  });
  await page.click(".address summary");
  for (const [text, url] of [
    ["hf://owner/repo/folder/model.gguf", "https://huggingface.co/owner/repo/resolve/main/folder/model.gguf"],
    ["hf://owner/repo/model.gguf@refs/pr/1", "https://huggingface.co/owner/repo/resolve/refs%2Fpr%2F1/model.gguf"],
    ["huggingface.co/owner/repo/blob/main/model.gguf", "https://huggingface.co/owner/repo/resolve/main/model.gguf"],
    ["https://example.org/model.gguf", "https://example.org/model.gguf"],
  ]) {
    asked.length = 0;
    await page.fill("#address", text);
    await page.click("#address-form button");
    await saysNext(page, /model\.gguf was not checked: there is no such file \(404\)\. Do not load it/);
    assert.deepEqual([...new Set(asked.filter((each) => !each.startsWith(at.server.address)))], [url]);
    await page.evaluate(() => { document.getElementById("trouble").hidden = true; });
  }
  await opened.close();
});
