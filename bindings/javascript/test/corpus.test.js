// The whole corpus, and ten thousand mutants: the reports of module and command are equal.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Gate, fromPath } from 'ggufgate';
import { casesOf, corpusFiles, makeMutants } from './expected.js';
import { differences } from './same.js';

const kMutants = Number(process.env.GGUFGATE_MUTANTS ?? 10000);

async function agree(files, args, options) {
  const gate = await Gate.load();
  const { found, verdicts } = await differences(gate, casesOf(files, ...args), fromPath, options, { machine: true });
  assert.deepEqual(found, []);
  assert.equal(verdicts.undecided, 0);
  assert.equal(verdicts.accept + verdicts.reject, files.length);
  assert.ok(verdicts.accept > 100 && verdicts.reject > 100, JSON.stringify(verdicts));
}

test('the corpus, headers alone', () => agree(corpusFiles(), [], {}));
test('the corpus, all tensor data', () => agree(corpusFiles(), ['--data', 'full'], { data: 'full' }));
test('the corpus, as llama.cpp loads it', () =>
  agree(corpusFiles(), ['--profile', 'llama.cpp', '--fail-on', 'warning', '--data', 'scales'],
    { profile: 'llama.cpp', failOn: 'warning', data: 'scales' }));
test('the corpus, by the specification', () => agree(corpusFiles(), ['--profile', 'spec'], { profile: 'spec' }));
test('the corpus, for image models', () => agree(corpusFiles(), ['--profile', 'diffusion'], { profile: 'diffusion' }));

test('mutants', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ggufgate-'));
  try {
    const mutants = makeMutants(path.join(folder, 'mutants'), kMutants);
    assert.equal(mutants.length, kMutants);
    await agree(mutants, ['--data', 'full'], { data: 'full' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
