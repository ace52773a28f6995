// Tests the view of a file's bytes: the rows that it draws of a large file, the keyboard, jumps and findings.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {accessSync, cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";

import {absent, launch, open, root} from "./chromium.mjs";

const skip = absent() ?? false;
const program = process.env.GGUFGATE_COMMAND ?? join(root, "build", "release", "ggufgate");
const sample = join(root, "corpus", "valid", "sample-llama.gguf");
const swapped = join(root, "corpus", "invalid", "tensor-order.swapped.gguf");
const huge = 70_000_000_000;

let folder;
let browser;

before(async () => {
  if (skip) return;
  accessSync(program);
  folder = mkdtempSync(join(tmpdir(), "ggufgate-view-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, {recursive: true});
});

async function laidOpen(file, name) {
  let page;
  try {
    page = execFileSync(program, ["inspect", "--format", "html", file], {maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"]});
  } catch (error) {
    page = error.stdout;
  }
  const path = join(folder, `${name}.html`);
  writeFileSync(path, page);
  const opened = await open(browser, pathToFileURL(path).href, {size: "desktop", scheme: "light"});
  await opened.page.waitForSelector(".lo-row [aria-selected]");
  return opened;
}

const said = (page) => page.locator(".lo-say").textContent();
const heading = (page) => page.locator(".lo-panel h2").textContent();
const settle = (page) => page.waitForTimeout(400);

test("of a large file the rows that are seen exist", {skip}, async () => {
  const file = join(folder, "huge.gguf");
  cpSync(sample, file);
  truncateSync(file, huge);
  const opened = await laidOpen(file, "huge");
  const {page} = opened;
  assert.ok(await page.locator(".lo-row").count() < 100);
  assert.match(await page.locator(".lo-note").textContent(), /This page shows/);

  await page.locator(".lo-scroll").focus();
  await page.keyboard.press("Control+End");
  await settle(page);
  assert.match(await said(page), new RegExp(`0x${(huge - 1).toString(16)}`));
  assert.ok(await page.locator(".lo-row").count() < 100);
  const last = await page.locator(".lo-row .lo-offset").last().textContent();
  assert.ok(huge - parseInt(last, 16) <= 16, `the last row is ${last}`);

  // The position of the scroll bar is a fraction of the file; the wheel scrolls by rows.
  const top = () => page.locator(".lo-row .lo-offset").first().textContent().then((text) => parseInt(text, 16));
  await page.locator(".lo-scroll").evaluate((scroll) => { scroll.scrollTop = scroll.scrollHeight / 2; });
  await settle(page);
  const middle = await top();
  assert.ok(Math.abs(middle / huge - 0.5) < 0.01, `half way is ${middle}`);
  await page.locator(".lo-scroll").hover();
  await page.mouse.wheel(0, 300);
  await settle(page);
  const moved = await top() - middle;
  assert.ok(moved > 0 && moved < 1000, `the wheel moved ${moved} bytes`);
  await opened.close();
});

test("keys move by bytes, fields, regions", {skip}, async () => {
  const opened = await laidOpen(sample, "sample");
  const {page} = opened;
  await page.locator(".lo-scroll").focus();
  const press = async (key) => {
    await page.keyboard.press(key);
    await settle(page);
    return heading(page);
  };
  assert.equal(await heading(page), "magic");
  assert.equal(await press("]"), "version");
  assert.equal(await press("["), "magic");
  assert.equal(await press("}"), "key length");
  assert.match(await said(page), /metadata general\.architecture/);
  assert.equal(await press("Control+Home"), "magic");
  assert.equal(await press("ArrowDown"), "tensor count");
  assert.equal(await press("ArrowLeft"), "version");
  const active = await page.locator(".lo-scroll").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  await opened.close();
});

test("keys, tensors and offsets are gone to; what there is not is said", {skip}, async () => {
  const opened = await laidOpen(sample, "jumps");
  const {page} = opened;
  const go = async (wish) => {
    await page.getByLabel("Go to").fill(wish);
    await page.keyboard.press("Enter");
    await settle(page);
    return said(page);
  };
  assert.match(await go("general.name"), /metadata general\.name/);
  assert.match(await go("output.weight"), /tensor data output\.weight.*block 0/);
  assert.match(await go("0x4"), /header.*version/);
  assert.match(await go("8"), /tensor count/);
  assert.match(await go("999,999,999"), /The file ends at byte/);
  assert.match(await go("no.such.key"), /No key or tensor/);
  await opened.close();
});

test("findings are marked, listed, and stepped through", {skip}, async () => {
  const opened = await laidOpen(swapped, "findings");
  const {page} = opened;
  assert.equal(await page.locator(".lo-findings li").count(), 2);
  assert.ok(await page.locator(".lo-byte.lo-hit").count() > 0);
  assert.match(await said(page), /0x61/);
  await page.getByRole("button", {name: "Next finding"}).click();
  await settle(page);
  assert.match(await said(page), /0x87/);
  assert.match(await page.locator(".lo-card").textContent(), /the tensors before it end at 32/);
  await opened.close();
});
