// Tests the page that scripts/page built from web/ in a real browser.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdirSync, rmSync} from "node:fs";
import {createServer} from "node:http";
import {join} from "node:path";
import {before, test} from "node:test";
import {pathToFileURL} from "node:url";

import {barriers, deeds, open, overhang, root, violations} from "./chromium.mjs";
import {gguf} from "./gguf.mjs";
import {fileName, models, texts} from "./hostile.mjs";
import {atPage, corpus, site, skip} from "./page.mjs";
import {serve} from "./server.mjs";

const program = process.env.GGUFGATE_COMMAND ?? join(root, "build", "release", "ggufgate");
const shots = join(root, "build", "browser", "shots");
const TABS = ["findings", "metadata", "tensors", "layout", "bytes"];

const at = atPage("page");
const {start, written} = at;

before(() => {
  if (!skip) mkdirSync(shots, {recursive: true});
});

// Gives the page a file and returns the heading of its verdict. It marks the old heading and waits for a new one.
async function judge({page}, path) {
  await page.evaluate(() => document.querySelector("#result h2")?.setAttribute("data-old", ""));
  await page.setInputFiles("#file", path);
  await page.waitForSelector("#result:not([hidden]) h2:not([data-old])");
  return page.textContent("#result h2");
}

function commandSays(path) {
  try {
    return JSON.parse(execFileSync(program, ["check", "--format", "json", path], {stdio: ["ignore", "pipe", "pipe"]})).files[0];
  } catch (error) {
    return JSON.parse(error.stdout).files[0];
  }
}

const tab = async ({page}, name) => {
  await page.click(`#tab-${name}`);
  await page.waitForSelector({findings: ".findings, .nothing", metadata: ".paged .pages-where:not(:empty)",
                              tensors: ".paged .pages-where:not(:empty)", layout: "svg.map", bytes: ".laid-open"}[name]);
};

test("the page starts, and asks nobody but its server", {skip}, async () => {
  for (const [size, scheme] of [["desktop", "light"], ["desktop", "dark"], ["phone", "light"], ["phone", "dark"]]) {
    const opened = await start({size, scheme});
    assert.deepEqual(await deeds(opened), []);
    assert.equal(await overhang(opened.page), 0);
    await opened.page.screenshot({path: join(shots, `page-start-${size}-${scheme}.png`)});
    assert.deepEqual(await barriers(opened.page), []);
    await opened.close();
  }
});

test("its main states can be read by everybody", {skip}, async () => {
  const files = {accepted: corpus("valid", "sample-llama.gguf"), rejected: corpus("invalid", "damage-cut-short.gguf")};
  for (const [size, scheme, ...names] of [["desktop", "light", "accepted", "rejected"], ["desktop", "dark", "accepted"],
                                          ["phone", "dark", "rejected"]]) {
    const opened = await start({size, scheme});
    const all = [];
    for (const [name, path] of names.map((each) => [each, files[each]])) {
      await judge(opened, path);
      for (const view of TABS) {
        await tab(opened, view);
        await opened.page.screenshot({path: join(shots, `page-${name}-${view}-${size}-${scheme}.png`), fullPage: true});
        const wide = await overhang(opened.page);
        if (wide) all.push(`${name}, ${view}, ${size}: ${wide} pixels wider than its window`);
        all.push(...(await barriers(opened.page)).map((what) => `${name}, ${view}, ${scheme}: ${what}`));
      }
    }
    assert.deepEqual(all, []);
    assert.deepEqual(await deeds(opened), []);
    await opened.close();
  }
});

test("it says of a file what the command says", {skip}, async () => {
  const opened = await start();
  for (const path of [corpus("valid", "sample-llama.gguf"), corpus("invalid", "damage-cut-short.gguf"),
                      corpus("invalid", "magic.html.gguf")]) {
    const said = commandSays(path);
    assert.equal(await judge(opened, path), {accept: "Accepted", reject: "Rejected"}[said.verdict]);
    await tab(opened, "findings");
    const shown = await opened.page.$$eval(".finding", (items) => items.map((item) => ({
      rule: item.querySelector(".rule").textContent,
      severity: item.querySelector(".severity").textContent,
      message: item.querySelector(".finding-message").textContent,
      offset: Number(item.querySelector(".to-bytes").lastChild.textContent),
    })));
    assert.deepEqual(shown, said.findings.map(({rule, severity, message, offset}) => ({rule, severity, message, offset})));
  }
  await opened.close();
});

test("names of files are escaped as the command escapes them", {skip}, async () => {
  const odd = [0x01, 0x09, 0x0A, 0x1B, 0x20, 0x22, 0x3C, 0x5C, 0x7F, 0x85, 0xA0, 0xAD, 0xE9, 0x034F, 0x061C, 0x115F, 0x180E, 0x200B,
               0x200D, 0x200F, 0x2028, 0x2029, 0x202E, 0x2060, 0x2066, 0x2069, 0x2800, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFFE, 0x1D173,
               0x1F600, 0xE0001, 0xE0041];
  const names = [...odd.map((code) => `a${String.fromCodePoint(code)}b`), `Z${"\u0310\u0321\u0489".repeat(4)}e\u0301`];
  let said;
  try {
    said = execFileSync(program, ["check", "--format", "json", "--", ...names], {stdio: ["ignore", "pipe", "pipe"]});
  } catch (error) {
    said = error.stdout;  // none of them exists
  }
  const opened = await start();
  const shown = await opened.page.evaluate(async (all) => {
    const {escaped} = await import("/dom.js");
    return all.map(escaped);
  }, names);
  assert.deepEqual(shown, JSON.parse(said).files.map(({path}) => path));
  await opened.close();
});

test("hostile models run nothing and fetch nothing", {skip}, async () => {
  const all = [];
  for (const [size, scheme, turn] of [["desktop", "light", 0], ["phone", "dark", 1]]) {
    const opened = await start({size, scheme});
    for (const [label, text] of Object.entries(texts).filter((_, index) => index % 2 === turn)) {
      await judge(opened, written(fileName(label, "broken", text).toString("utf8"), models(text).broken));
      for (const view of TABS) {
        await tab(opened, view);
        const wide = await overhang(opened.page);
        if (wide) all.push(`${label}, ${view}: ${wide} pixels wider than its window`);
      }
      all.push(...(await deeds(opened)).map((what) => `up to ${label}: ${what}`));
      if (label.length % 4 === 0) all.push(...(await barriers(opened.page)).map((what) => `${label}: ${what}`));
    }
    await opened.close();
  }
  assert.deepEqual([...new Set(all)], []);
});

test("once it has started, neither the page nor its worker can connect", {skip}, async () => {
  const opened = await start();
  await judge(opened, corpus("valid", "sample-llama.gguf"));
  const asked = at.server.asked.length;
  const attempt = (address) => fetch(address).then(() => "connected", () => "refused");
  assert.equal(await opened.page.evaluate(attempt, `${at.server.address}style.css`), "refused");
  assert.equal(await opened.page.workers()[0].evaluate(attempt, `${at.server.address}style.css`), "refused");
  assert.equal(at.server.asked.length, asked);
  assert.match(await violations(opened, /connect-src/), /connect-src/);
  await opened.close();
});

test("no string can become markup", {skip}, async () => {
  const opened = await start();
  assert.match(await opened.page.evaluate(() => {
    try {
      document.body.innerHTML = "<b>x</b>";
      return "taken";
    } catch (error) {
      return error.message;
    }
  }), /TrustedHTML/);
  await opened.close();
});

test("an address is fetched in ranges, when the visitor says so", {skip}, async () => {
  const near = written("far.gguf", gguf({
    metadata: [["general.architecture", "test"]], tensors: [{name: "weight", shape: [1 << 20], offset: 0}], data: 4 << 20,
  }));
  const far = await serve(at.folder, {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range, ETag"});
  const closed = await serve(at.folder);
  const opened = await start({allowed: (url) => [at.server.address, `blob:${at.server.address}`, far.address, closed.address].some(
    (address) => url.startsWith(address))});
  await opened.page.click(".address summary");
  await opened.page.fill("#address", `${far.address}far.gguf`);
  assert.equal(far.asked.length, 0);
  await opened.page.click("#address-form button");
  await opened.page.waitForSelector("#result:not([hidden]) h2");
  assert.equal(await opened.page.textContent("#result h2"), {accept: "Accepted", reject: "Rejected"}[commandSays(near).verdict]);
  assert.ok(far.asked.length > 0 && far.asked.every(({path: at, range}) => at === "/far.gguf" && range));
  assert.ok(far.asked.length < 12, `${far.asked.length} requests`);

  await opened.page.fill("#address", `${closed.address}far.gguf`);
  await opened.page.click("#address-form button");
  await opened.page.waitForSelector("#trouble:not([hidden])");
  assert.match(await opened.page.textContent("#trouble"), /was not checked: .*CORS.*Do not load it/);
  for (const [text, pattern] of [["javascript:alert(1)", /begin with https/], ["nothing", /not an address/]]) {
    await opened.page.fill("#address", text);
    await opened.page.click("#address-form button");
    await opened.page.waitForFunction((expected) => new RegExp(expected).test(document.getElementById("trouble").textContent), pattern.source);
  }
  assert.deepEqual(opened.seen.dialogs, []);
  await opened.close();
  await far.close();
  await closed.close();
});

test("a server is believed only if it gives what it was asked for", {skip}, async () => {
  const bytes = gguf({metadata: [["general.architecture", "test"]], tensors: [{name: "weight", shape: [8], offset: 0}], data: 32});
  const headers = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range, ETag"};
  const answers = {
    "/whole.gguf": () => [200, {}, bytes],
    "/sound.gguf": (first, last) => [206, {"Content-Range": `bytes ${first}-${last}/${bytes.length}`}, bytes.subarray(first, last + 1)],
    "/other-range.gguf": (first, last) => [206, {"Content-Range": `bytes ${last ? first + 1 : 0}-${last}/${bytes.length}`}, bytes],
    "/other-size.gguf": (first, last) => [206, {"Content-Range": `bytes ${first}-${last}/${bytes.length + last}`}, bytes],
    "/changed.gguf": (first, last) => [206, {"Content-Range": `bytes ${first}-${last}/${bytes.length}`, "ETag": `"${last}"`}, bytes],
    "/short.gguf": (first, last) => [206, {"Content-Range": `bytes ${first}-${last}/${bytes.length}`}, bytes.subarray(0, 1)],
    "/secret.gguf": () => [403, {}, ""],
  };
  const far = createServer((request, response) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
    const [status, more, body] = answers[request.url](first, last);
    response.writeHead(status, {...headers, ...more}).end(body);
  });
  await new Promise((resolve) => far.listen(0, "127.0.0.1", resolve));
  const opened = await start({allowed: () => true});
  const {page} = opened;
  await page.click(".address summary");
  const says = async (path) => {
    await page.fill("#address", `http://127.0.0.1:${far.address().port}${path}`);
    await page.click("#address-form button");
    const name = path.slice(1);
    const found = await page.waitForFunction((expected) => {
      const trouble = document.querySelector("#trouble:not([hidden])")?.textContent ?? "";
      const shown = document.querySelector("#result:not([hidden]) .verdict-file")?.textContent;
      if (trouble.startsWith(expected)) return trouble;
      return shown === expected ? document.querySelector(".verdict-text").textContent : null;
    }, name);
    return found.jsonValue();
  };
  assert.match(await says("/whole.gguf"), /Accepted/);
  assert.match(await says("/sound.gguf"), /Accepted/);
  assert.match(await says("/other-range.gguf"), /Undecided.*requested range/);
  assert.match(await says("/other-size.gguf"), /Undecided.*changed while it was read/);
  assert.match(await says("/changed.gguf"), /Undecided.*changed while it was read/);
  assert.match(await says("/short.gguf"), /Undecided.*ended too early/);
  assert.match(await says("/secret.gguf"), /was not checked: .*requires a login \(403\)/);
  await opened.close();
  far.closeAllConnections();
  far.close();
});

test("from the keyboard alone: a file, a finding, its bytes", {skip}, async () => {
  const opened = await start();
  const {page} = opened;
  await judge(opened, corpus("invalid", "damage-cut-short.gguf"));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-findings");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-metadata");
  assert.equal(await page.getAttribute("#tab-metadata", "aria-selected"), "true");
  await page.keyboard.press("Home");
  await page.waitForSelector(".finding");
  while (await page.evaluate(() => !document.activeElement.classList.contains("to-bytes"))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".laid-open");
  assert.equal(await page.getAttribute("#tab-bytes", "aria-selected"), "true");
  await page.waitForFunction(() => /0x0*ea2/i.test(document.querySelector(".bytes").textContent));
  assert.deepEqual(await deeds(opened), []);
  await opened.close();
});

test("long lists are paged, searched and sorted", {skip}, async () => {
  const many = 2_500;
  const path = written("many.gguf", gguf({
    metadata: [["general.architecture", "test"], ["long.array", Array.from({length: 1_000}, (_, at) => `element ${at}`)],
               ["long.text", "word ".repeat(10_000)],
               ...Array.from({length: many}, (_, at) => [`key.number_${at}`, at])],
    tensors: Array.from({length: many}, (_, at) => ({name: `tensor.${at}`, shape: [8 * (1 + (at * 7) % many)], offset: 0})),
    data: 64,
  }));
  const opened = await start();
  const {page} = opened;
  const cells = () => page.$$eval(".paged tbody th", (all) => all.map((cell) => cell.textContent));
  const where = (pattern) => page.waitForFunction((expected) => new RegExp(expected).test(
    document.querySelector(".paged .pages-where").textContent), pattern);
  await judge(opened, path);
  await tab(opened, "metadata");
  assert.equal((await cells()).length, 100);
  await where("1 to 100 of 2,503");
  await page.click(".panel .pages button:has-text('Last')");
  await where("2,501 to 2,503 of 2,503");
  assert.equal((await cells()).at(-1), `key.number_${many - 1}`);
  await page.fill(".panel input[type=search]", "NUMBER_249");
  await where("11 rows");
  await page.fill(".panel input[type=search]", "long.");
  await where("2 rows");
  await page.click("button.link:has-text('all elements')");
  await page.waitForSelector("dialog[open] tbody tr");
  assert.match(await page.textContent("dialog .pages-where"), /1 to 200 of 1,000/);
  assert.deepEqual(await barriers(page), []);
  await page.screenshot({path: join(shots, "page-elements.png")});
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", {state: "detached"});
  await page.click("button.link:has-text('all of it')");
  await page.waitForSelector("dialog[open] pre");
  assert.match(await page.textContent("dialog .pages-where"), /characters 1 to 20,000 of 50,000/);
  await page.click("dialog button:has-text('Next')");
  await page.waitForFunction(() => /20,001 to 40,000/.test(document.querySelector("dialog .pages-where").textContent));
  await page.keyboard.press("Escape");

  await tab(opened, "tensors");
  await page.click("th button:has-text('Size')");
  await page.waitForSelector("th[aria-sort=ascending]");
  await page.waitForFunction(() => document.querySelector(".paged tbody th").textContent === "tensor.0");
  await page.click("th button:has-text('Size')");
  await page.waitForSelector("th[aria-sort=descending]");
  await page.waitForFunction(() => document.querySelector(".paged tbody th").textContent !== "tensor.0");
  const largest = Array.from({length: many}, (_, at) => (at * 7) % many).indexOf(many - 1);
  assert.equal((await cells())[0], `tensor.${largest}`);
  assert.deepEqual(await deeds(opened), []);
  await opened.close();
});

test("several files are judged one after the other, the worst is shown", {skip}, async () => {
  const opened = await start({size: "phone"});
  const {page} = opened;
  await page.setInputFiles("#file", [corpus("valid", "sample-llama.gguf"), corpus("invalid", "damage-cut-short.gguf"),
                                     corpus("invalid", "magic.html.gguf")]);
  await page.waitForFunction(() => document.querySelectorAll("#files .reject").length === 2 &&
    document.querySelector("#result:not([hidden]) .verdict-file")?.textContent === "damage-cut-short.gguf");
  await page.screenshot({path: join(shots, "page-files-phone.png")});
  await page.click("#files button:has-text('sample-llama')");
  await page.waitForFunction(() => document.querySelector("#result:not([hidden]) h2")?.textContent === "Accepted");
  assert.deepEqual(await barriers(page), []);
  await opened.close();
});

test("what cannot be read is not accepted", {skip}, async () => {
  const opened = await start();
  const {page} = opened;
  assert.equal(await judge(opened, written("empty.gguf", Buffer.alloc(0))), "Rejected");
  for (const view of TABS) await tab(opened, view).catch(() => {});
  assert.deepEqual(await deeds(opened), []);
  const gone = written("gone.gguf", gguf({metadata: [["general.architecture", "test"]]}));
  await page.setInputFiles("#file", [gone, corpus("invalid", "magic.html.gguf")]);
  await page.waitForFunction(() => document.querySelector("#result:not([hidden]) .verdict-file")?.textContent === "magic.html.gguf" &&
    !document.querySelector("#files .waiting"));
  rmSync(gone);
  await page.click("#files button:has-text('gone.gguf')");
  await page.waitForFunction(() => document.querySelector("#result:not([hidden]) .verdict-file")?.textContent === "gone.gguf");
  assert.equal(await page.textContent("#result h2"), "Undecided");
  assert.match(await page.textContent(".verdict-why"), /Do not load it either/);
  assert.equal(await page.textContent("#files [aria-current] .file-verdict"), "Undecided");
  assert.deepEqual(await barriers(page), []);
  await opened.close();
});

test("opened from a file, it says what to do", {skip}, async () => {
  const opened = await open(at.browser, pathToFileURL(join(site, "index.html")).href, {allowed: (url) => url.startsWith("file:")});
  await opened.page.waitForFunction(() => getComputedStyle(document.getElementById("not-running")).opacity === "1");
  assert.match(await opened.page.textContent("#not-running"), /http\.server/);
  await opened.page.screenshot({path: join(shots, "page-from-file.png")});
  await opened.close();
});
