/** Part of `npm run vectors`: writes the vectors of signed messages, which a test compares with the code. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { signedMessageVectorsText } from '../protocol/testing/vectors/signed-message-vectors.ts';

const folder = new URL('../docs/protocols/vectors/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('signed-messages.json', folder), signedMessageVectorsText());
console.log('docs/protocols/vectors/signed-messages.json');
