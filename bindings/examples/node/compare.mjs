// compare.mjs COMMAND FILE...: the addon and the command give the same report for each file.

import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const addon = createRequire(import.meta.url)(process.env.GGUFGATE_NODE ?? "./ggufgate.node");
const [command, ...files] = process.argv.slice(2);

// The lines of a report, one per file, without times and similar values.
const lines = (json) =>
  json.split("\n").filter((line) => line.startsWith("{\"path\"")).map((line) =>
    line.replace(/"elapsed_ms":[^}]*/, "").replace(/,$/, ""));

// If several shards are named, the command also checks them as a set.
const groups = [files.filter((file) => !file.includes("-of-")), ...files.filter((file) => file.includes("-of-")).map((file) => [file])];
const said = [];
for (const group of groups.filter((group) => group.length > 0)) {
  let out;
  try {
    out = execFileSync(command, ["check", "--format", "json", ...group], { maxBuffer: 1 << 28 });
  } catch (error) {
    if (error.status !== 1) throw error;
    out = error.stdout;
  }
  said.push(...lines(out.toString()));
}
const reports = await Promise.all(groups.flat().map((file) => addon.checkAsync(file)));
let different = 0;
reports.forEach((report, i) => {
  if (lines(report)[0] === said[i]) return;
  ++different;
  console.log(groups.flat()[i], "\n ", lines(report)[0], "\n ", said[i]);
});
for (const [wrong, ...more] of [[], [7], ["a\0b"], ["x", { data: "some" }], ["x", { profile: "none" }]]) {
  try {
    addon.check(wrong, ...more);
    ++different;
    console.log("taken:", wrong, ...more);
  } catch {
    // expected
  }
}
console.log(`${reports.length} files, ${different} different`);
process.exitCode = reports.length > 500 && different === 0 && said.length === reports.length ? 0 : 1;
