import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listMethodUses } from './methods.ts';

const SOURCE = join(import.meta.dirname, '..');
/** How calls name their methods. */
const CALLS = /(?:\.call|\.callText)(?:<[^()]*>)?\(\s*'([a-z]+)'|\bmethod: '([a-z]+)'/g;

function listCalledMethods(): string[] {
  const files = globSync('{node,indexer,wiring}/**/*.ts', { cwd: SOURCE }).filter(
    (file) => !file.includes('.test.'),
  );
  const found = files.flatMap((file) => [...readFileSync(join(SOURCE, file), 'utf8').matchAll(CALLS)]);
  return [...new Set(found.map(([, called, listed]) => (called ?? listed)!))].sort();
}

test('every method that the service calls is known, and none besides', () => {
  const all = { indexes: true, sends: true, tests: true, packages: true, anchors: true, servesRest: false };
  const known = listMethodUses(all).map(({ method }) => method);
  expect(known.toSorted()).toEqual(listCalledMethods());
  expect(new Set(known).size).toBe(known.length);
});

test('a process needs only what it does', () => {
  const none = {
    indexes: false,
    sends: false,
    tests: false,
    packages: false,
    anchors: false,
    servesRest: true,
  };
  const methods = listMethodUses(none).map(({ method }) => method);
  expect(methods).not.toContain('sendrawtransaction');
  expect(methods).not.toContain('getrawmempool');
  expect(methods).not.toContain('lockunspent');
});

test('blocks need getblock where the node serves no REST', () => {
  const needs = { indexes: true, sends: true, tests: true, packages: true, anchors: true };
  const findGetblock = (servesRest: boolean) =>
    listMethodUses({ ...needs, servesRest }).find(({ method }) => method === 'getblock');
  expect(findGetblock(false)).toMatchObject({ optional: false });
  expect(findGetblock(true)).toMatchObject({ optional: true });
});
