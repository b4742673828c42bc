import { test } from 'vitest';
import { openEngines } from '../harness/engines.ts';
import { watchReorgs } from './watch-reorgs.ts';

const engines = openEngines();

test('watchers are told of every change through reorganisations, and of nothing that never was', async () => {
  await watchReorgs(engines, 5);
}, 240_000);
