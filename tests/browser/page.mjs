// The page web/ as scripts/page put it together, for those who test it: served, and opened in a browser.

import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before} from "node:test";

import {absent, launch, open, root} from "./chromium.mjs";
import {serve} from "./server.mjs";

export const site = process.env.GGUFGATE_PAGE ?? join(root, "build", "page");
export const skip = absent() ?? (existsSync(join(site, "index.html")) ? false : "there is no page: scripts/page");
export const corpus = (...parts) => join(root, "corpus", ...parts);

// atPage serves the page and starts a browser before the tests of a file, and ends both behind them, with
// the folder that holds what they wrote. `name` is in the name of that folder. What it gives has `server`,
// `browser` and `folder` once the tests run.
export function atPage(name) {
  const at = {};
  before(async () => {
    if (skip) return;
    at.folder = mkdtempSync(join(tmpdir(), `ggufgate-${name}-`));
    at.server = await serve(site);
    at.browser = await launch();
  });
  after(async () => {
    await at.browser?.close();
    await at.server?.close();
    if (at.folder) rmSync(at.folder, {recursive: true});
  });

  // The page in a tab of its own, once it can take a file. What it asks others for is kept in `seen`.
  at.start = async (options = {}) => {
    const {address} = at.server;
    const opened = await open(at.browser, address, {
      allowed: (url) => url.startsWith(address) || url.startsWith(`blob:${address}`), ...options,
    });
    await opened.page.waitForSelector("html[data-ready]");
    return opened;
  };

  at.written = (path, bytes) => {
    const file = join(at.folder, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, bytes);
    return file;
  };
  return at;
}
