// Starts Debian's Chromium and records the actions of a page: the scripts that ran, the network requests, and the
// violations of its content security policy. It also finds accessibility problems.

import {accessSync, constants, readFileSync} from "node:fs";
import {delimiter, dirname, join} from "node:path";
import {setTimeout} from "node:timers/promises";
import {fileURLToPath, pathToFileURL} from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const packages = process.env.GGUFGATE_BROWSER_PACKAGES ?? join(root, "build", "browser");

function onPath(name) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

// The reason why the browser tests cannot run here, or null.
export function absent() {
  if (!onPath("chromium")) return "chromium is not installed";
  try {
    for (const name of ["playwright", "axe"]) accessSync(join(packages, name, "integrity"));
  } catch {
    return "build/browser is not there: scripts/fetch-reference";
  }
  return null;
}

// The browser itself must not send requests, because the tests would have to tell them from those of the page.
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-default-browser-check", "--enable-precise-memory-info",
];

export async function launch(more = []) {
  const {chromium} = await import(pathToFileURL(join(packages, "playwright", "package", "index.mjs")).href);
  return chromium.launch({executablePath: onPath("chromium"), headless: true, args: [...FLAGS, ...more]});
}

export const sizes = {desktop: {width: 1280, height: 900}, phone: {width: 390, height: 844}};

// open shows an address in a new page. `allowed(url)` returns true for requests that the page may send. `seen`
// collects events from then on. Read it before you evaluate anything in the page, because every script that a test
// evaluates is recorded too.
export async function open(browser, address, {allowed = (url) => url === address, size = "desktop",
                                              scheme = "light", reducedMotion = "reduce"} = {}) {
  const context = await browser.newContext({
    viewport: sizes[size], colorScheme: scheme, reducedMotion, acceptDownloads: false, serviceWorkers: "block",
  });
  const page = await context.newPage();
  const seen = {requests: [], scripts: [], violations: [], dialogs: [], errors: [], popups: 0};
  page.on("request", (request) => {
    if (!allowed(request.url())) seen.requests.push(request.url());
  });
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    dialog.dismiss().catch(() => {});
  });
  page.on("popup", () => ++seen.popups);
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  await context.exposeBinding("ggufgateViolation", (_, what) => seen.violations.push(what));
  await page.addInitScript(() => {
    const tell = window.ggufgateViolation;
    delete window.ggufgateViolation;
    document.addEventListener("securitypolicyviolation", (event) => {
      tell(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`);
    });
  });
  const debug = await context.newCDPSession(page);
  debug.on("Debugger.scriptParsed", (script) => {
    if (script.executionContextAuxData?.isDefault) seen.scripts.push(script.hash);
  });
  await debug.send("Debugger.enable");
  await page.goto(address, {waitUntil: "load"});
  return {page, seen, debug, close: () => context.close()};
}

// Returns the violations of the page as text, as soon as one of them matches `pattern`. The browser reports a
// violation after the request has failed, so this waits for it, ten seconds at most.
export async function violations({seen}, pattern) {
  for (let tries = 0; tries < 100 && !seen.violations.some((what) => pattern.test(what)); ++tries) await setTimeout(100);
  return seen.violations.join();
}

// disturb moves the pointer over the page and the focus through it, like a visitor. This triggers payloads that
// wait for such events.
export async function disturb(page, steps = 12) {
  for (let i = 1; i <= 6; ++i) await page.mouse.move(60 * i, 90 * i);
  for (let i = 0; i < steps; ++i) await page.keyboard.press("Tab");
}

// Lists everything that a page must never do: effects of a payload, and requests, including blocked ones. `known`
// has the hashes of our own scripts.
export async function deeds({page, seen}, known = null) {
  const now = structuredClone(seen);
  const found = [];
  for (const kind of ["requests", "violations", "dialogs", "errors"]) {
    for (const what of now[kind]) found.push(`${kind}: ${String(what).slice(0, 200)}`);
  }
  if (now.popups) found.push(`popups: ${now.popups}`);
  if (known) {
    const strange = now.scripts.filter((hash) => !known.has(hash));
    if (strange.length) found.push(`scripts that are not ours: ${strange.length}`);
  }
  const inPage = await page.evaluate(() => ({
    hacked: "hacked" in window,
    handlers: [...document.querySelectorAll("*")].filter(
      (element) => [...element.attributes].some(({name}) => name.startsWith("on"))).length,
    addresses: [...document.querySelectorAll("[href],[src],[action],[formaction]")].map(
      (element) => element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action"))
      .filter((to) => /^\s*(javascript|data|vbscript):|hostile\.invalid/i.test(to ?? "")),
    foreign: document.querySelectorAll("iframe,object,embed,base,meta[http-equiv=refresh]").length,
  }));
  if (inPage.hacked) found.push("window.hacked is set");
  if (inPage.handlers) found.push(`event handlers in attributes: ${inPage.handlers}`);
  if (inPage.addresses.length) found.push(`addresses: ${inPage.addresses[0].slice(0, 80)}`);
  if (inPage.foreign) found.push(`frames, objects or refreshes: ${inPage.foreign}`);
  return found;
}

// barriers lists the accessibility problems that axe rates as serious or critical.
export async function barriers(page) {
  await page.evaluate(readFileSync(join(packages, "axe", "package", "axe.min.js"), "utf8"));
  const {violations} = await page.evaluate(() => window.axe.run(document, {preload: false, resultTypes: ["violations"]}));
  return violations.filter(({impact}) => impact === "serious" || impact === "critical").map(
    ({id, impact, nodes}) => `${id} (${impact}): ${nodes.slice(0, 3).map(({target, failureSummary}) =>
      `${target} ${failureSummary.replace(/\s+/g, " ")}`).join("; ")}`.slice(0, 900));
}

// The number of pixels by which the page is wider than its window. It should be 0, so that nobody has to scroll
// sideways.
export const overhang = (page) =>
  page.evaluate(() => Math.max(0, document.scrollingElement.scrollWidth - document.documentElement.clientWidth));
