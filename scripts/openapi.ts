/** `npm run openapi`: writes the OpenAPI documents to docs/openapi, where a test compares them with the code. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { buildDocuments } from '../service/src/openapi-documents.ts';

const folder = new URL('../docs/openapi/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, document] of Object.entries(await buildDocuments())) {
  const file = new URL(`${name}.json`, folder);
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`docs/openapi/${name}.json`);
}
