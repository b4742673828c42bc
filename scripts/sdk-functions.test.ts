import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSdkFunctions } from './sdk-functions.ts';

const root = join(import.meta.dirname, '..');

test('each operation of each document is known by the function that calls it', async () => {
  const functions = await readSdkFunctions(join(root, 'sdk'));
  const folder = join(root, 'docs/openapi');
  const operations = readdirSync(folder).flatMap((file) => {
    const { servers, paths } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      servers: [{ url: string }];
      paths: Record<string, object>;
    };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${servers[0].url}${path}`),
    );
  });
  expect(Object.keys(functions).sort()).toEqual(operations.sort());
  expect(functions['GET /api/v1/block/{id}']).toBe('getBlock');
});
