// What the page costs: docs/page.md has the figures. No test: times depend on the machine, and on who else
// works there.
//
// usage: node measure.mjs

import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import {program, site} from "./agreement.mjs";
import {launch, open} from "./chromium.mjs";
import {gguf} from "./gguf.mjs";
import {serve} from "./server.mjs";

const ROUNDS = 9;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

// The header of a model with 128,256 tokens, 280,147 merges and 1,000 tensors, as published ones are, and
// the data of `total` bytes behind it, which are a hole.
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

async function started(browser, server) {
  const opened = await open(browser, server.address, {allowed: () => true});
  await opened.page.waitForSelector("html[data-ready]");
  return opened;
}

// Until the page can take a file, from an empty cache.
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

// From the choice of the file until the verdict can be seen, as the page saw it.
async function verdict(opened, path) {
  await opened.page.evaluate(() => {
    window.seen = new Promise((resolve) => {
      let begin = 0;
      document.getElementById("file").addEventListener("change", () => { begin = performance.now(); }, {capture: true, once: true});
      new MutationObserver((_, observer) => {
        if (document.querySelector("#result:not([hidden]) h2") && begin) {
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve({took: performance.now() - begin, said: document.querySelector("#result h2").textContent})));
        }
      }).observe(document.getElementById("result"), {attributes: true});
    });
  });
  await opened.page.setInputFiles("#file", path);
  return opened.page.evaluate(() => window.seen);
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

// Private memory of the processes that show pages: their own, not what is shared with the rest of the browser.
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  let most = 0;
  for (const {type, id} of processInfo) {
    if (type !== "renderer") continue;
    const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
    const kilobytes = (name) => Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(text)[1]);
    most = Math.max(most, 1024 * (kilobytes("Private_Clean") + kilobytes("Private_Dirty")));
  }
  return most;
}

const folder = mkdtempSync(join(tmpdir(), "ggufgate-measure-"));
const server = await serve(site);
const browser = await launch();
try {
  console.log(`page until it takes a file: ${(await loading(browser, server)).toFixed(0)} ms`);

  const small = join(folder, "header.gguf");
  const header = largeModel(small, 0);
  const times = [];
  let said;
  for (let round = 0; round < ROUNDS; ++round) {
    const opened = await started(browser, server);
    const first = await verdict(opened, small);
    times.push(first.took);
    ({said} = first);
    await opened.close();
  }
  const {inside, outside} = command(small);
  console.log(`header of ${megabytes(header)} in a file of ${megabytes(statSync(small).size)}: ${said} after ${median(times).toFixed(0)} ms; ` +
    `the command ${outside.toFixed(1)} ms, of which ${inside.toFixed(1)} ms judging`);

  const large = join(folder, "large.gguf");
  largeModel(large, 40e9);
  const opened = await started(browser, server);
  await opened.debug.send("HeapProfiler.collectGarbage");
  const before = await memory(browser);
  const {took, said: verdictOfLarge} = await verdict(opened, large);
  const after = await memory(browser);
  const heap = await opened.page.evaluate(() => performance.memory.usedJSHeapSize);
  console.log(`sparse file of ${megabytes(statSync(large).size)}: ${verdictOfLarge} after ${took.toFixed(0)} ms; memory of the page's process ` +
    `${megabytes(before)} before, ${megabytes(after)} after: ${megabytes(after - before)} more; heap of the page ${megabytes(heap)}`);
  await opened.close();
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, {recursive: true});
}
