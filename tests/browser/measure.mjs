// Measures the time and memory that the page needs; docs/page.md has the figures. This is not a test, because times
// depend on the machine and its load.
//
// usage: node measure.mjs

import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import {program} from "./agreement.mjs";
import {launch, sizes} from "./chromium.mjs";
import {gguf} from "./gguf.mjs";
import {site} from "./page.mjs";
import {serve} from "./server.mjs";

const ROUNDS = 9;
const READY = 1_500;  // milliseconds that a visitor needs at least to choose a file after the page is ready
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

// Writes a model with 128,256 tokens, 280,147 merges and 1,000 tensors, like published models. About `total` bytes of
// data follow the header, as a hole in the file. Returns the size of the header in bytes.
function largeModel(path, total) {
  const tokens = Array.from({length: 128_256}, (_, at) => `token${at.toString(36)}`);
  const merges = Array.from({length: 280_147}, (_, at) => `${at.toString(36)} ${(at * 7).toString(36)}`);
  const rows = Math.max(1, Math.floor(total / 1_000 / 4 / 4_096));
  const each = rows * 4_096 * 4;
  const header = gguf({
    metadata: [
      ["general.architecture", "llama"], ["general.name", "measured"], ["llama.block_count", 111], ["llama.context_length", 8_192],
      ["llama.embedding_length", 4_096], ["llama.feed_forward_length", 14_336], ["llama.attention.head_count", 32],
      ["llama.attention.head_count_kv", 8], ["llama.rope.dimension_count", 128], ["llama.attention.layer_norm_rms_epsilon", 0.00001],
      ["tokenizer.ggml.model", "gpt2"], ["tokenizer.ggml.pre", "llama-bpe"], ["tokenizer.ggml.tokens", tokens],
      ["tokenizer.ggml.token_type", tokens.map(() => 1)], ["tokenizer.ggml.merges", merges],
    ],
    tensors: Array.from({length: 1_000}, (_, at) => ({name: `blk.${at}.weight`, shape: [4_096, rows], offset: at * each})),
  });
  writeFileSync(path, header);
  truncateSync(path, header.length + 1_000 * each);
  return header.length;
}

// Opens a page without a debugger, unlike the tests: browsers run WebAssembly slowly while a debugger is attached.
async function shown(browser, address) {
  const context = await browser.newContext({viewport: sizes.desktop, reducedMotion: "reduce"});
  const page = await context.newPage();
  await page.goto(address, {waitUntil: "load"});
  return {page, close: () => context.close()};
}

async function started(browser, server) {
  const opened = await shown(browser, server.address);
  await opened.page.waitForSelector("html[data-ready]");
  return opened;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Milliseconds until the page is ready for a file, with an empty cache.
async function loading(browser, server) {
  const times = [];
  for (let round = 0; round < ROUNDS; ++round) {
    const begin = performance.now();
    const opened = await started(browser, server);
    times.push(performance.now() - begin);
    await opened.close();
  }
  return median(times);
}

// Milliseconds from the choice of the file until the verdict is in the document, and until it is painted. The page
// itself measures them.
async function verdict(opened, path) {
  await opened.page.evaluate(() => {
    window.seen = new Promise((resolve) => {
      let begin = 0;
      document.getElementById("file").addEventListener("change", () => { begin = performance.now(); }, {capture: true, once: true});
      new MutationObserver((_, observer) => {
        if (document.querySelector("#result:not([hidden]) h2") && begin) {
          observer.disconnect();
          const there = performance.now() - begin;
          requestAnimationFrame(() => setTimeout(() => resolve(
            {there, painted: performance.now() - begin, said: document.querySelector("#result h2").textContent})));
        }
      }).observe(document.getElementById("result"), {attributes: true});
    });
  });
  await opened.page.setInputFiles("#file", path);
  return opened.page.evaluate(() => window.seen);
}

// The verdict times for the first file of a page that has been ready for `waited` milliseconds.
async function firstVerdict(browser, server, path, waited) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; ++round) {
    const opened = await started(browser, server);
    await pause(waited);
    rounds.push(await verdict(opened, path));
    await opened.close();
  }
  const of = (field) => median(rounds.map((each) => each[field])).toFixed(1);
  return `${rounds[0].said} after ${of("there")} ms, painted after ${of("painted")} ms`;
}

function command(path) {
  const inside = [];
  const outside = [];
  for (let round = 0; round < ROUNDS; ++round) {
    const begin = performance.now();
    const {stdout} = spawnSync(program, ["check", "--format", "json", path]);
    outside.push(performance.now() - begin);
    inside.push(JSON.parse(stdout).files[0].elapsed_ms);
  }
  return {inside: median(inside), outside: median(outside)};
}

// The renderer process of a page. The browser has several, so the page runs a loop and the process that used the
// most processor time is its own.
async function processOf(browser, page) {
  const session = await browser.newBrowserCDPSession();
  const times = async () => new Map((await session.send("SystemInfo.getProcessInfo")).processInfo
    .filter(({type}) => type === "renderer").map(({id, cpuTime}) => [id, cpuTime]));
  const before = await times();
  await page.evaluate(() => {
    for (const begin = performance.now(); performance.now() - begin < 400;);
  });
  const worked = [...await times()].map(([id, time]) => [id, time - (before.get(id) ?? time)]);
  await session.detach();
  return worked.toSorted(([, a], [, b]) => b - a)[0][0];
}

// The private memory of a process in bytes, without the memory that it shares with the rest of the browser.
function memory(id) {
  const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
  const kilobytes = (name) => Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(text)[1]);
  return 1024 * (kilobytes("Private_Clean") + kilobytes("Private_Dirty"));
}

async function memoryOfEmptyPage(browser) {
  const {page, close} = await shown(browser, "about:blank");
  const id = await processOf(browser, page);
  await pause(READY);
  const used = memory(id);
  await close();
  return used;
}

const folder = mkdtempSync(join(tmpdir(), "ggufgate-measure-"));
const server = await serve(site);
const browser = await launch();
try {
  console.log(`page until it takes a file: ${(await loading(browser, server)).toFixed(0)} ms`);

  const small = join(folder, "header.gguf");
  const header = largeModel(small, 0);
  console.log(`header of ${megabytes(header)} in a file of ${megabytes(statSync(small).size)}`);
  const {inside, outside} = command(small);
  console.log(`  the command: ${outside.toFixed(1)} ms, of which ${inside.toFixed(1)} ms judging`);
  console.log(`  a page that has been ready for ${READY / 1000} s: ${await firstVerdict(browser, server, small, READY)}`);
  console.log(`  a page that has just become ready: ${await firstVerdict(browser, server, small, 0)}`);

  const large = join(folder, "large.gguf");
  largeModel(large, 40e9);
  const empty = await memoryOfEmptyPage(browser);
  const opened = await started(browser, server);
  await pause(READY);
  const id = await processOf(browser, opened.page);
  const before = memory(id);
  const {there, said} = await verdict(opened, large);
  const after = memory(id);
  await opened.close();
  console.log(`sparse file of ${megabytes(statSync(large).size)}: ${said} after ${there.toFixed(1)} ms`);
  console.log(`  private memory of the page's process: ${megabytes(before)} before, ${megabytes(after)} after; of an empty page's: ${megabytes(empty)}`);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, {recursive: true});
}
