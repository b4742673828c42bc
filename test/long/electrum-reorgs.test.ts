import { test } from 'vitest';
import { watchReorgs } from '../electrum/watch-reorgs.ts';
import { openEngines } from '../harness/engines.ts';

const engines = openEngines();

test('through 100 reorganisations watchers of Electrum sessions miss nothing, and are told of nothing that never was', async () => {
  await watchReorgs(engines, 100);
}, 1_800_000);
