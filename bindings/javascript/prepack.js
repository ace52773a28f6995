// npm runs this before it packs: without the module the package does not work.

import { readFileSync } from 'node:fs';

const place = new URL('ggufgate.wasm', import.meta.url);
let bytes = null;
try {
  bytes = readFileSync(place);
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
if (bytes === null) {
  console.error('ggufgate.wasm is missing, so nothing was packed: run bindings/javascript/make-module first.');
  process.exit(1);
}
if (!WebAssembly.validate(bytes)) {
  console.error('ggufgate.wasm is no WebAssembly module, so nothing was packed: run bindings/javascript/make-module again.');
  process.exit(1);
}
