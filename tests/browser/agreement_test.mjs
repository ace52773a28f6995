// The page in Chromium and the command give the same reports for the corpus and some mutants. docs/page.md has the
// result for ten thousand mutants.

import assert from "node:assert/strict";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {test} from "node:test";

import {corpusAndMutants, disagreements} from "./agreement.mjs";
import {launch} from "./chromium.mjs";
import {skip} from "./page.mjs";

test("Chromium and the command agree", {skip}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "ggufgate-mutants-"));
  const browser = await launch();
  try {
    const files = corpusAndMutants(folder, 400);
    assert.ok(files.length > 900, `${files.length} files`);
    assert.deepEqual(await disagreements(browser, files), []);
  } finally {
    await browser.close();
    rmSync(folder, {recursive: true});
  }
});
