// Serves the page that scripts/page built from web/, and opens it in a browser for the tests.

import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before} from "node:test";

import {absent, launch, open, root} from "./chromium.mjs";
import {serve} from "./server.mjs";

export const site = process.env.GGUFGATE_PAGE ?? join(root, "build", "page");
export const skip = absent() ?? (existsSync(join(site, "index.html")) ? false : "there is no page: scripts/page");
export const corpus = (...parts) => join(root, "corpus", ...parts);

// atPage serves the page and starts a browser before the tests of a file. After the tests it stops both and removes
// the folder with the files that they wrote. The name of that folder contains `name`. The result has `server`,
// `browser` and `folder` as soon as the tests run.
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

  // Opens the page in a new context and waits until it is ready for a file. `seen` collects its requests to other
  // servers.
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
