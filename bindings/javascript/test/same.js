// Compares two reports on one file; for Node and for browsers.
//
// expected.js gets the reports of the command. A list of cases is an array of
//   { name, expected }    where `expected` is the file in `--format json`, as text.

import { parseExactly } from '../src/instance.js';

// Fields that depend on the machine or the time.
const kOfTheMachine = ['device', 'inode', 'modified_ns', 'changed_ns'];

/** A file of `--format json`, without the fields that may differ. */
export function comparable(text, { machine = false } = {}) {
  const { elapsed_ms: time, ...file } = parseExactly(text);
  if (typeof time !== 'number') throw new Error('a report without its time');
  if (!machine) {
    delete file.path;
    delete file.path_hex;
    for (const field of kOfTheMachine) delete file.identity[field];
  }
  return file;
}

const stringOf = (value) => JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));

/**
 * Checks every case and lists those with a different report. `sourceOf(name)` returns the source; with `machine`,
 * paths and identities must be equal, too.
 */
export async function differences(gate, cases, sourceOf, options, { machine = false, most = 10 } = {}) {
  const found = [];
  const verdicts = { accept: 0, reject: 0, undecided: 0 };
  for (const { name, expected } of cases) {
    const source = await sourceOf(name);
    const report = await gate.check(source, options);
    await source.close?.();
    ++verdicts[report.verdict];
    const said = stringOf(comparable(report.json(), { machine }));
    const wanted = stringOf(comparable(expected, { machine }));
    if (said !== wanted) found.push({ name, said, wanted });
    if (found.length === most) break;
  }
  return { found, verdicts };
}
