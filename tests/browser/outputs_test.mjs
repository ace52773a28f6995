// Hostile models through everything that ggufgate writes for a browser: no script runs that is not
// ours, nothing is fetched, nothing keeps people from reading it.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
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
      // An argument is text, so the bytes of a name that is none are told as a reader would see them.
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

// The output lies in a file, as it does where somebody looks at it; null where there is none, since the file
// is rejected.
function made({name, command, type}, files, label) {
  const words = command.flatMap((word) => (word === "FILES" ? files : [word]));
  let output;
  try {
    output = execFileSync(program, words, {maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"]});
  } catch (error) {
    if (error.status !== 1) throw new Error(`ggufgate ${command.join(" ")}: ${error.stderr}`);
    output = error.stdout;  // rejected, which is what most of these files are to be
  }
  if (output.length === 0) return null;
  const path = join(folder, `${name}-${label}.${type}`);
  writeFileSync(path, output);
  return pathToFileURL(path).href;
}

// Everything that can be said against one output; `known` are hashes of our scripts.
const looks = [["desktop", "light"], ["phone", "dark"]];
async function against(each, address, label, known = null, as = looks) {
  const all = [];
  for (const [size, scheme] of as) {
    const opened = await open(browser, address, {size, scheme});
    await disturb(opened.page);
    const found = await deeds(opened, known);
    if (each.type === "html") {
      const wide = await overhang(opened.page);
      if (wide) found.push(`${wide} pixels wider than its window`);
      found.push(...await barriers(opened.page));
    }
    all.push(...found.map((what) => `${label}, ${size}: ${what}`));
    await opened.close();
  }
  return all;
}

// The hashes of the scripts that an output has for a model of ours, which are our own.
async function ownScripts(each) {
  const known = new Set();
  for (const [index, group] of (each.each ? sample.map((file) => [file]) : [sample]).entries()) {
    const address = made(each, group, `sample-${index}`);
    if (!address) continue;
    for (const size of ["desktop", "phone"]) {
      for (const scheme of ["light", "dark"]) {
        const opened = await open(browser, address, {size, scheme});
        for (const hash of opened.seen.scripts) known.add(hash);
        await opened.page.screenshot({path: join(shots, `${each.name}-${index}-${size}-${scheme}.png`)});
        await opened.close();
      }
    }
    assert.deepEqual(await against(each, address, "our own"), []);
  }
  return known;
}

for (const each of cases) {
  test(`hostile models through ${each.name}`, {skip}, async () => {
    const known = await ownScripts(each);
    const groups = each.each ? hostile.map((file) => [file]) : [hostile];
    const all = [];
    let shown = 0;
    for (const [index, group] of groups.entries()) {
      const label = each.each ? group[0].slice(join(folder, "models").length + 1).split(".", 2).join(".") : "all";
      const address = made(each, group, index);
      if (!address) continue;
      // Many take turns in how they are looked at; all at once are looked at both ways.
      all.push(...await against(each, address, label, known, each.each ? [looks[shown % looks.length]] : looks));
      ++shown;
    }
    assert.ok(shown > 0, "no model was accepted");
    assert.deepEqual(all, []);
  });
}
