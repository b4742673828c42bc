import { readFileSync } from 'node:fs';
import { describePattern } from '@coinfront/protocol/pattern-words.ts';
import { profileSchema } from '@coinfront/protocol/profile-schema.ts';
import { describe, expect, test } from 'vitest';
import { errorKinds } from './errors.ts';
import { buildDocuments } from './openapi-documents.ts';
import { findMismatches } from './testing/document-schemas.ts';
import { validatorWords } from './testing/send-hostile.ts';

type Json = Record<string, unknown>;
type Media = { schema: Json; example: unknown };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name: string; in: string; description: string; schema: Json; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json };
};

const documents = (await buildDocuments()) as unknown as Record<
  'chain' | 'esplora' | 'names' | 'nodes' | 'proofs' | 'tokens' | 'treasury',
  Document
>;

/** The paths of the chain API that the specification of the service names, but for /openapi.json. */
const specifiedPaths = [
  '/health',
  '/config',
  '/status',
  '/stats',
  '/blocks',
  '/block/{id}',
  '/tx/{txid}',
  '/address/{address}',
  '/utxos/{address}',
  '/search',
  '/pool',
  '/pool/miners',
  '/pool/blocks',
  '/supply',
  '/supply/circulating',
  '/supply/total',
  '/releases',
  '/wallet-standard',
  '/fee',
  '/mining/address/{address}',
  '/broadcast',
];

describe.each(['chain', 'esplora', 'names', 'nodes', 'proofs', 'tokens', 'treasury'] as const)(
  'the %s document',
  (name) => {
    const document = documents[name];
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

    test('is the one that is committed; `npm run openapi` writes it', () => {
      const committed = readFileSync(new URL(`../../docs/openapi/${name}.json`, import.meta.url), 'utf8');
      expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
    });

    test('keeps to what OpenAPI 3.0.3 can say', () => {
      expect(document.openapi).toBe('3.0.3');
      visit(document, (node, where) => {
        expect(Array.isArray(node.type), `${where} has a list of types`).toBe(false);
        if (!where.includes('/example')) expect(node.type, where).not.toBe('null');
        for (const word of ['const', '$id', 'patternProperties', '~kind'])
          expect(node, where).not.toHaveProperty(word);
        if ('$ref' in node) expect(Object.keys(node), where).toEqual(['$ref']);
      });
    });

    test('has every reference it uses', () => {
      visit(document, (node, where) => {
        if (typeof node.$ref !== 'string') return;
        const target = node.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Json)?.[key], document);
        expect(target, `${where} refers to ${node.$ref}`).toBeDefined();
      });
    });

    test('names each operation once, and describes it and its parameters', () => {
      const ids = operations.map(({ operation }) => operation.operationId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { operation } of operations) {
        expect(operation.summary).not.toBe('');
        expect(operation.description).not.toBe('');
        for (const parameter of operation.parameters)
          expect(parameter.description, operation.operationId).toBeTruthy();
      }
    });

    test('has a parameter for each part of a path', () => {
      for (const { path, operation } of operations) {
        const parts = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
        const declared = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);
        expect(declared.sort(), path).toEqual(parts.sort());
      }
    });

    test('shows examples that fit their schemas', () => {
      for (const { path, method, operation } of operations) {
        for (const { content } of [operation.requestBody, ...Object.values(operation.responses)].filter(
          (each) => each !== undefined,
        )) {
          for (const [type, { schema, example }] of Object.entries(content ?? {})) {
            if (!type.includes('json')) continue;
            expect(findMismatches(schema, document, example), `${method} ${path}`).toEqual([]);
          }
        }
      }
    });

    test('lists only codes that exist, under their status', () => {
      for (const { operation } of operations) {
        for (const [status, { description }] of Object.entries(operation.responses)) {
          for (const [, code] of description.matchAll(/`([a-z_]+)`:/g)) {
            expect(errorKinds[code as keyof typeof errorKinds]?.status).toBe(Number(status));
          }
        }
      }
    });
  },
);

test('every path of the specification is there', () => {
  expect(Object.keys(documents.chain.paths)).toEqual(expect.arrayContaining(specifiedPaths));
});

test('each pattern that is asked for is put into words', async () => {
  const patterns = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { pattern } = node as { pattern?: unknown };
    if (typeof pattern === 'string') patterns.add(pattern);
    for (const each of Object.values(node)) collect(each);
  };
  type Asked = { parameters: unknown; requestBody?: unknown };
  collect(profileSchema);
  for (const document of Object.values(documents)) {
    const { paths, components } = document as {
      paths: Record<string, Record<string, Asked>>;
      components: { schemas: Record<string, unknown> };
    };
    for (const { parameters, requestBody } of Object.values(paths).flatMap((each) => Object.values(each)))
      collect([parameters, requestBody]);
    // Bodies are components, and these have further ones.
    for (const [name, schema] of Object.entries(components.schemas))
      if (/Request$|^Encode/.test(name)) collect(schema);
  }
  expect(patterns.size).toBeGreaterThan(20);
  for (const pattern of patterns) {
    const words = describePattern(pattern);
    expect(words, pattern).toBeDefined();
    expect(words).not.toMatch(validatorWords);
  }
});

function visit(node: unknown, see: (node: Json, where: string) => void, where = ''): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node) && !where.includes('/example') && !where.endsWith('/properties'))
    see(node as Json, where);
  for (const [key, each] of Object.entries(node)) visit(each, see, `${where}/${key}`);
}
