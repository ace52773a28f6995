// Compares the reports of the page in Chromium with the reports of the command. One page checks all files and is
// never reloaded.
//
// usage: node agreement.mjs [--mutants N] [--seed S] [FILE...]    the corpus, N mutants of it, and FILEs
//
// Exit code: 0 they agree on every file, 1 they do not.

import {execFileSync, spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

import {launch, open, root} from "./chromium.mjs";
import {site} from "./page.mjs";
import {serve} from "./server.mjs";

const BATCH = 200;
export const program = process.env.GGUFGATE_COMMAND ?? join(root, "build", "release", "ggufgate");

const filesIn = (folder) => readdirSync(folder, {withFileTypes: true}).flatMap((entry) =>
  (entry.isDirectory() ? filesIn(join(folder, entry.name)) : entry.name.endsWith(".gguf") ? [join(folder, entry.name)] : []));

// The part of a report that depends only on the bytes: no path, no identity except the size, and no elapsed time.
function essence(report) {
  const {path, path_hex, identity, elapsed_ms, ...rest} = report;
  return JSON.stringify({...rest, size: identity.size});
}

// The command checks the shards of one model as a set, and recognizes them by their names. The page gets each file
// alone and without its name, so the command gets each shard as a link with another name.
function commandSays(files) {
  const links = mkdtempSync(join(tmpdir(), "ggufgate-links-"));
  const said = new Map();
  try {
    const paths = new Map(files.map((file, i) => {
      if (!/-\d{5}-of-\d{5}\.gguf$/.test(file)) return [file, file];
      const link = join(links, `${i}.gguf`);
      symlinkSync(resolve(file), link);
      return [link, file];
    }));
    const {stdout, stderr} = spawnSync(program, ["check", "--format", "jsonl", "--files-from", "-"],
      {input: [...paths.keys()].join("\n"), maxBuffer: 1 << 30});
    for (const line of stdout.toString("utf8").split("\n").filter(Boolean)) {
      const report = JSON.parse(line);
      if (report.path !== undefined) said.set(paths.get(report.path), report);
    }
    for (const file of files) if (!said.has(file)) throw new Error(`the command says nothing of ${file}: ${stderr}`);
  } finally {
    rmSync(links, {recursive: true});
  }
  return said;
}

// Runs in the page: fetches files from the server, checks their bytes, and returns the reports as text.
async function judgeAll(paths) {
  const {Gate, fromBytes} = await import("/gate/src/index.js");
  window.gate ??= await Gate.load("/gate/ggufgate.wasm");
  const reports = [];
  for (const path of paths) {
    const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
    reports.push((await window.gate.check(fromBytes(bytes, "file"))).json());
  }
  return reports;
}

// The files whose two reports differ, as text. An empty list is a success.
export async function disagreements(browser, files) {
  const folder = mkdtempSync(join(tmpdir(), "ggufgate-agreement-"));
  symlinkSync(join(site, "gate"), join(folder, "gate"));
  files.forEach((file, index) => symlinkSync(file, join(folder, `${index}.gguf`)));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>agreement</title>");
  const server = await serve(folder);
  const found = [];
  try {
    const said = commandSays(files);
    const {page, close} = await open(browser, server.address, {allowed: () => true});
    for (let begin = 0; begin < files.length; begin += BATCH) {
      const part = files.slice(begin, begin + BATCH);
      const reports = await page.evaluate(judgeAll, part.map((_, at) => `/${begin + at}.gguf`));
      for (const [at, text] of reports.entries()) {
        const ours = essence(JSON.parse(text));
        const theirs = essence(said.get(part[at]));
        if (ours !== theirs) found.push(`${part[at]}:\n  Chromium ${ours.slice(0, 600)}\n  command  ${theirs.slice(0, 600)}`);
      }
    }
    await close();
  } finally {
    await server.close();
    rmSync(folder, {recursive: true});
  }
  return found;
}

export function corpusAndMutants(folder, count, seed = 1) {
  const corpus = filesIn(join(root, "corpus"));
  if (count === 0) return corpus;
  const mutants = join(folder, "mutants");
  execFileSync(program, ["mutate", join(root, "corpus"), "--count", String(count), "--seed", String(seed), "--output-dir", mutants],
    {stdio: "ignore"});
  return [...corpus, ...filesIn(mutants)];
}

async function main(words) {
  const option = (name, otherwise) => {
    const at = words.indexOf(name);
    return at < 0 ? otherwise : Number(words.splice(at, 2)[1]);
  };
  const mutants = option("--mutants", 10_000);
  const seed = option("--seed", 1);
  const folder = mkdtempSync(join(tmpdir(), "ggufgate-mutants-"));
  const browser = await launch();
  try {
    const files = [...corpusAndMutants(folder, mutants, seed), ...words];
    const begin = Date.now();
    const found = await disagreements(browser, files);
    for (const what of found.slice(0, 20)) console.log(what);
    console.log(`${files.length} files, ${found.length} on which Chromium and the command differ, ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    return found.length ? 1 : 0;
  } finally {
    await browser.close();
    rmSync(folder, {recursive: true});
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = await main(process.argv.slice(2));
