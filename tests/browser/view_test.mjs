// Tests the view of a file's bytes: the rows that it draws of a large file, the keyboard, jumps and findings.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {accessSync, cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {setTimeout} from "node:timers/promises";
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

// Asks until an answer fits, for at most 30 s, because a busy machine draws late. Returns the last answer, which the
// caller asserts: its message then shows what the page says.
async function eventually(ask, fits) {
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (fits(answer) || Date.now() > end) return answer;
    await setTimeout(50);
  }
}

const saysSoon = async (page, wanted) => assert.match(await eventually(() => said(page), (text) => wanted.test(text)), wanted);

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
  await saysSoon(page, new RegExp(`0x${(huge - 1).toString(16)}`));
  const offsetOf = (row) => row.locator(".lo-offset").textContent().then((text) => parseInt(text, 16));
  const isEnd = (offset) => huge - offset <= 16;
  const last = await eventually(() => offsetOf(page.locator(".lo-row").last()), isEnd);
  assert.ok(isEnd(last), `the last row is ${last}`);
  assert.ok(await page.locator(".lo-row").count() < 100);

  // The position of the scroll bar is a fraction of the file; the wheel scrolls by rows.
  const top = () => offsetOf(page.locator(".lo-row").first());
  const isHalfWay = (offset) => Math.abs(offset / huge - 0.5) < 0.01;
  await page.locator(".lo-scroll").evaluate((scroll) => { scroll.scrollTop = scroll.scrollHeight / 2; });
  const middle = await eventually(top, isHalfWay);
  assert.ok(isHalfWay(middle), `half way is ${middle}`);
  await page.locator(".lo-scroll").hover();
  await page.mouse.wheel(0, 300);
  const moved = await eventually(top, (offset) => offset !== middle) - middle;
  assert.ok(moved > 0 && moved < 1000, `the wheel moved ${moved} bytes`);
  await opened.close();
});

test("keys move by bytes, fields, regions", {skip}, async () => {
  const opened = await laidOpen(sample, "sample");
  const {page} = opened;
  await page.locator(".lo-scroll").focus();
  const pressed = async (key, wanted) => {
    await page.keyboard.press(key);
    assert.equal(await eventually(() => heading(page), (text) => text === wanted), wanted);
  };
  assert.equal(await heading(page), "magic");
  await pressed("]", "version");
  await pressed("[", "magic");
  await pressed("}", "key length");
  await saysSoon(page, /metadata general\.architecture/);
  await pressed("Control+Home", "magic");
  await pressed("ArrowDown", "tensor count");
  await pressed("ArrowLeft", "version");
  const active = async () => {
    const id = await page.locator(".lo-scroll").getAttribute("aria-activedescendant");
    return page.evaluate((cell) => document.getElementById(cell)?.getAttribute("aria-selected"), id);
  };
  assert.equal(await eventually(active, (selected) => selected === "true"), "true");
  await opened.close();
});

test("keys, tensors and offsets are gone to; what there is not is said", {skip}, async () => {
  const opened = await laidOpen(sample, "jumps");
  const {page} = opened;
  const wentTo = async (wish, wanted) => {
    await page.getByLabel("Go to").fill(wish);
    await page.keyboard.press("Enter");
    await saysSoon(page, wanted);
  };
  await wentTo("general.name", /metadata general\.name/);
  await wentTo("output.weight", /tensor data output\.weight.*block 0/);
  await wentTo("0x4", /header.*version/);
  await wentTo("8", /tensor count/);
  await wentTo("999,999,999", /The file ends at byte/);
  await wentTo("no.such.key", /No key or tensor/);
  await opened.close();
});

test("findings are marked, listed, and stepped through", {skip}, async () => {
  const opened = await laidOpen(swapped, "findings");
  const {page} = opened;
  assert.equal(await page.locator(".lo-findings li").count(), 2);
  assert.ok(await eventually(() => page.locator(".lo-byte.lo-hit").count(), (count) => count > 0) > 0);
  await saysSoon(page, /0x61/);
  await page.getByRole("button", {name: "Next finding"}).click();
  await saysSoon(page, /0x87/);
  const card = () => page.locator(".lo-card").textContent();
  const reason = /the tensors before it end at 32/;
  assert.match(await eventually(card, (text) => reason.test(text)), reason);
  await opened.close();
});
