// Tests the report of many files: its filters, and the summary, which comes first.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {accessSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";

import {absent, barriers, launch, open, root} from "./chromium.mjs";

const skip = absent() ?? false;
const program = process.env.GGUFGATE_COMMAND ?? join(root, "build", "release", "ggufgate");
const files = ["valid/sample-llama.gguf", "invalid/damage-cut-short.gguf", "invalid/magic.html.gguf"]
  .map((path) => join(root, "corpus", path));

let folder;
let browser;
let address;

before(async () => {
  if (skip) return;
  accessSync(program);
  folder = mkdtempSync(join(tmpdir(), "ggufgate-report-"));
  const path = join(folder, "report.html");
  try {
    execFileSync(program, ["check", "--format", "html", "--output", path, ...files], {stdio: "ignore"});
  } catch (error) {
    assert.equal(error.status, 1);
  }
  address = pathToFileURL(path).href;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, {recursive: true});
});

test("filters leave what fits, and say how many files that is", {skip}, async () => {
  const opened = await open(browser, address, {size: "desktop", scheme: "light"});
  const {page} = opened;
  const shown = () => page.locator(".file:visible").count();
  const said = () => page.locator("#filters output").textContent();
  assert.equal(await shown(), 3);
  await page.getByLabel("Verdict").selectOption("reject");
  assert.equal(await shown(), 2);
  assert.equal(await said(), "2 of 3 files");
  await page.getByLabel("Rule").selectOption("magic");
  assert.equal(await shown(), 1);
  assert.equal(await page.locator(".finding:visible").count(), 1);
  await page.getByLabel("Rule").selectOption("all");
  await page.getByLabel("Verdict").selectOption("all");
  await page.getByLabel("Text").fill("8 bytes missing");
  assert.equal(await shown(), 1);
  assert.equal(await page.locator(".finding:visible").count(), 1);
  await page.getByLabel("Text").fill("no such text");
  assert.equal(await said(), "0 of 3 files");
  await opened.close();
});

test("a number and a rule lead to the files that they count", {skip}, async () => {
  const opened = await open(browser, address, {size: "phone", scheme: "dark"});
  const {page} = opened;
  const said = () => page.locator("#filters output").textContent();
  await page.getByLabel("Text").fill("no such text");
  await page.getByRole("button", {name: "2 reject"}).click();
  assert.equal(await said(), "2 of 3 files");
  assert.equal(await page.evaluate(() => document.activeElement.value), "reject");
  await page.getByRole("button", {name: "magic"}).focus();
  await page.keyboard.press("Enter");
  assert.equal(await said(), "1 of 3 files");
  assert.equal(await page.getByRole("button", {name: /undecided/}).count(), 0);  // no file is undecided
  assert.deepEqual(await barriers(page), []);
  await opened.close();
});

test("the summary comes first, for readers of the screen as well", {skip}, async () => {
  const opened = await open(browser, address, {size: "desktop", scheme: "light"});
  const order = await opened.page.locator("main > *").evaluateAll((all) => all.map((one) => one.id || one.localName));
  assert.deepEqual(order, ["header", "summary", "filters", "files", "footer"]);
  await opened.close();
});
