// Shows the contents of a valid file: node metadata.js FILE

import { Gate, fromPath } from 'ggufgate';

const gate = await Gate.load();
const source = await fromPath(process.argv[2]);
const { verdict, file } = await gate.check(source);
if (verdict === 'accept') {
  for (let first = 0; first < file.keyCount; first += 100) {
    for (const { key, type, count, value } of file.keys(first, 100, { elements: 3 })) {
      console.log(`${key} = ${JSON.stringify(value)}${type === 'array' ? ` of ${count}` : ''}`);
    }
  }
  for (const { name, type, dimensions } of file.tensors()) console.log(name, type, dimensions.join('×'));
}
await source.close();
process.exitCode = verdict === 'accept' ? 0 : 1;
