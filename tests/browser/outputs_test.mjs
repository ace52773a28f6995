// Passes hostile models through every HTML output of ggufgate. Only our own scripts may run, nothing may be fetched,
// and there must be no accessibility problems.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {accessSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";

import {cases} from "./cases.mjs";
import {absent, barriers, deeds, disturb, launch, open, overhang, root} from "./chromium.mjs";
import {fileName, models, texts} from "./hostile.mjs";

const skip = absent() ?? false;
const program = process.env.GGUFGATE_COMMAND ?? join(root, "build", "release", "ggufgate");
const shots = join(root, "build", "browser", "shots");
const sample = [join(root, "corpus", "valid", "sample-llama.gguf"),
                join(root, "corpus", "invalid", "damage-cut-short.gguf")];
const WAYS = [["desktop", "light"], ["phone", "dark"]];

let folder;
let browser;
const hostile = [];

before(async () => {
  if (skip || cases.length === 0) return;
  accessSync(program);
  folder = mkdtempSync(join(tmpdir(), "ggufgate-outputs-"));
  mkdirSync(join(folder, "models"));
  mkdirSync(shots, {recursive: true});
  for (const [label, text] of Object.entries(texts)) {
    for (const [kind, bytes] of Object.entries(models(text))) {
      // An argument must be text, so bytes that are not UTF-8 become replacement characters in the name.
      const path = join(folder, "models", fileName(label, kind, text).toString("utf8"));
      writeFileSync(path, bytes);
      hostile.push(path);
    }
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, {recursive: true});
});

// Writes the output to a file, like a user, and returns its URL. Returns null if ggufgate printed nothing because
// it rejected the file.
function made({name, command}, files, label) {
  const words = command.flatMap((word) => (word === "FILES" ? files : [word]));
  const {stdout, stderr, status} = spawnSync(program, words, {maxBuffer: 1 << 28});
  if (status !== 0 && status !== 1) throw new Error(`ggufgate ${command.join(" ")}: ${stderr}`);
  if (stdout.length === 0) return null;
  const path = join(folder, `${name}-${label}.html`);
  writeFileSync(path, stdout);
  return pathToFileURL(path).href;
}

// Lists all problems of one output. `known` has the hashes of our scripts; `whole` also runs axe.
async function against(opened, size, label, known, whole) {
  await disturb(opened.page);
  const found = await deeds(opened, known);
  const wide = await overhang(opened.page);
  if (wide) found.push(`${wide} pixels wider than its window`);
  if (whole) found.push(...await barriers(opened.page));
  return found.map((what) => `${label}, ${size}: ${what}`);
}

// The hashes of our own scripts, collected from the outputs for harmless models.
async function ownScripts(each) {
  const known = new Set();
  const all = [];
  for (const [index, group] of (each.each ? sample.map((file) => [file]) : [sample]).entries()) {
    const address = made(each, group, `sample-${index}`);
    if (!address) continue;
    for (const size of ["desktop", "phone"]) {
      for (const scheme of ["light", "dark"]) {
        const opened = await open(browser, address, {size, scheme});
        for (const hash of opened.seen.scripts) known.add(hash);
        await opened.page.screenshot({path: join(shots, `${each.name}-${index}-${size}-${scheme}.png`)});
        all.push(...await against(opened, size, `our own, ${scheme}`, null, true));
        await opened.close();
      }
    }
  }
  assert.deepEqual(all, []);
  return known;
}

for (const each of cases) {
  test(`hostile models through ${each.name}`, {skip}, async () => {
    const known = await ownScripts(each);
    const groups = each.each ? hostile.map((file) => [file]) : [hostile];
    const all = [];
    let shown = 0;
    // Two loops run at the same time, one per window size. Each text has two models: one is shown wide, the other
    // narrow. A page for all models is shown in both sizes.
    await Promise.all(WAYS.map(async ([size, scheme], turn) => {
      for (const [index, group] of groups.entries()) {
        if (each.each && turn !== index % 2) continue;
        const address = made(each, group, `${index}-${turn}`);
        if (!address) continue;
        const label = each.each ? group[0].slice(join(folder, "models").length + 1).split(".", 2).join(".") : "all";
        const opened = await open(browser, address, {size, scheme});
        all.push(...await against(opened, size, label, known, shown++ % 5 === 0));
        await opened.close();
      }
    }));
    assert.deepEqual(all, []);
    assert.ok(shown > groups.length / 4, `${shown} of ${groups.length} were shown`);
  });
}
