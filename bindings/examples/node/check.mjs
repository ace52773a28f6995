// check.mjs FILE...: the verdict on each file. GGUFGATE_NODE names the built addon.

import { createRequire } from "node:module";

const addon = createRequire(import.meta.url)(process.env.GGUFGATE_NODE ?? "./ggufgate.node");

// The report on a file. Numbers above 2^53 are rounded here, but not in the text.
export async function check(path, options = {}) {
  return JSON.parse(await addon.checkAsync(path, options)).files[0];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  let accepted = process.argv.length > 2;
  for (const path of process.argv.slice(2)) {
    const report = await check(path);
    accepted &&= report.verdict === "accept";
    console.log(report.verdict, report.path);
    for (const finding of report.findings) {
      console.log(`  0x${finding.offset.toString(16)} ${finding.rule} ${finding.path}: ${finding.message}`);
    }
  }
  process.exitCode = accepted ? 0 : 1;
}
