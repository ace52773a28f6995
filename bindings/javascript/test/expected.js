// The reports of the command, for same.js to compare with. Only in Node.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kRoot = fileURLToPath(new URL('../../..', import.meta.url));
export const corpus = process.env.GGUFGATE_CORPUS ?? path.join(kRoot, 'corpus');

/** The command: of the environment variable, or else of the first build that exists. */
export const command =
  process.env.GGUFGATE_COMMAND ??
  ['release', 'quick'].map((build) => path.join(kRoot, 'build', build, 'ggufgate')).find(existsSync);

export function run(args, options = {}) {
  const done = spawnSync(command, args, { maxBuffer: 1 << 30, encoding: 'utf8', ...options });
  if (done.error) throw done.error;
  return done;
}

export function corpusFiles() {
  return ['valid', 'invalid', 'limits', 'regression'].flatMap((folder) =>
    readdirSync(path.join(corpus, folder))
      .filter((name) => name.endsWith('.gguf'))
      .sort()
      .map((name) => path.join(corpus, folder, name)));
}

/** Cases for same.js: the reports of the command, one per line. Shards are checked alone, as the gate does. */
export function casesOf(files, ...options) {
  const shards = files.filter((file) => file.includes('-of-'));
  const groups = [files.filter((file) => !shards.includes(file)), ...shards.map((file) => [file])];
  const kMost = 2000;  // in one command line
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / kMost) }, (_, i) => group.slice(i * kMost, (i + 1) * kMost)))
    .flatMap((some) => {
      const done = run(['check', '--format', 'jsonl', ...options, ...some]);
      const lines = done.stdout.split('\n').filter(Boolean);
      if (lines.length !== some.length) throw new Error(`${lines.length} reports of ${some.length} files: ${done.stderr}`);
      return lines.map((expected, i) => ({ name: some[i], expected }));
    });
}

/** Writes mutants of corpus models to a folder, the same each time, and lists them. */
export function makeMutants(folder, count, seed = 19) {
  const seeds = corpusFiles().filter((file) => file.includes(`${path.sep}valid${path.sep}`));
  const done = run(['mutate', ...seeds, '--count', String(count), '--seed', String(seed), '--mode', 'havoc',
    '--output-dir', folder]);
  if (done.status !== 0) throw new Error(`no mutants: ${done.stderr}`);
  return readdirSync(folder).filter((name) => name.endsWith('.gguf')).sort().map((name) => path.join(folder, name));
}
