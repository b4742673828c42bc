/** `npm run vectors`: writes the on-chain protocols' test vectors, which a test compares with the rules. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { makeProtocolVectors } from '../protocol/testing/vectors/make-vectors.ts';

const folder = new URL('../docs/protocols/vectors/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, vectors] of Object.entries(makeProtocolVectors())) {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(vectors, null, 2)}\n`);
  console.log(`docs/protocols/vectors/${name}.json`);
}
