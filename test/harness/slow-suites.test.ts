import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowSuites } from './slow-suites.ts';

test('each slow suite is there, and named once', () => {
  expect(new Set(slowSuites).size).toBe(slowSuites.length);
  for (const path of slowSuites)
    expect(existsSync(join(import.meta.dirname, '../..', path)), path).toBe(true);
});
