// Tests the driver (chromium.mjs) with pages that have one planted fault each, and with one page without a fault.

import assert from "node:assert/strict";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";

import {absent, barriers, deeds, disturb, launch, open, overhang} from "./chromium.mjs";
import {serve} from "./server.mjs";

const skip = absent() ?? false;
const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>planted</title>';
const strict = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">';
const main = "<main><h1>Planted</h1>";
const pages = {
  sound: `${head}${strict}${main}<p>&lt;script&gt;</p>`,
  script: `${head}${main}<script>window.hacked = 1</script>`,
  dialog: `${head}${main}<script>alert(1)</script>`,
  handler: `${head}${main}<button onfocus="window.hacked = 1">x</button>`,
  request: `${head}${main}<img alt="" src="http://hostile.invalid/x">`,
  stopped: `${head}${strict}${main}<img alt="" src="http://hostile.invalid/x">`,
  link: `${head}${main}<a href="javascript:alert(1)">x</a>`,
  unlabelled: `${head}${strict}${main}<button></button>`,
  wide: `${head}${main}<p>${"W".repeat(9_000)}`,
};

let folder;
let server;
let browser;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "ggufgate-browser-"));
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), text);
  server = await serve(folder);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  if (folder) rmSync(folder, {recursive: true});
});

async function look(name) {
  const opened = await open(browser, `${server.address}${name}.html`, {size: "phone"});
  await disturb(opened.page, 3);
  const found = await deeds(opened);
  const result = {found: found.join("\n"), wide: await overhang(opened.page), barriers: await barriers(opened.page)};
  await opened.close();
  return result;
}

test("nothing is found where nothing is", {skip}, async () => {
  assert.deepEqual(await look("sound"), {found: "", wide: 0, barriers: []});
});

const planted = {script: /hacked is set/, dialog: /dialogs: 1/, handler: /hacked is set[^]*handlers in attributes: 1/,
                 request: /requests: http:\/\/hostile/, stopped: /violations: img-src/, link: /addresses: javascript/};
for (const [name, pattern] of Object.entries(planted)) {
  test(`the fault of ${name} is found`, {skip}, async () => assert.match((await look(name)).found, pattern));
}

test("a script that is not ours is found", {skip}, async () => {
  const sound = await open(browser, `${server.address}sound.html`);
  const known = new Set(sound.seen.scripts);
  const other = await open(browser, `${server.address}script.html`);
  assert.deepEqual(await deeds(sound, known), []);
  assert.match((await deeds(other, known)).join("\n"), /not ours: 1/);
  await sound.close();
  await other.close();
});

test("what keeps people from reading is found", {skip}, async () => {
  assert.match((await look("unlabelled")).barriers.join("\n"), /button-name \(critical\)/);
  assert.ok((await look("wide")).wide > 0);
});

test("the server gives ranges, and nothing beyond its folder", {skip}, async () => {
  const ranged = await fetch(`${server.address}sound.html`, {headers: {Range: "bytes=2-8"}});
  assert.equal(ranged.status, 206);
  assert.equal(await ranged.text(), "doctype");
  assert.equal(ranged.headers.get("content-range"), `bytes 2-8/${pages.sound.length}`);
  assert.equal((await fetch(`${server.address}sound.html`, {headers: {Range: "bytes=99999-"}})).status, 416);
  assert.equal((await fetch(`${server.address}%2e%2e/x`)).status, 404);
});
