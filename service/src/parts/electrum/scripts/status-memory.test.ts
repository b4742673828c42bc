import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFixtureChain, sha256Of } from '../../../testing/fixture-chain.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import { readScriptState } from './read-script.ts';
import { createStatusMemory, type StatusMemory } from './status-memory.ts';

const own = Uint8Array.of(0x51);
const other = Uint8Array.of(0x52);

function createReader() {
  const chain = createFixtureChain(other);
  const readChain = readFixture(chain);
  const read = (memory: StatusMemory, script = own) =>
    readChain((view) => readScriptState(view, sha256Of(script), { giveWay: async () => {}, memory }));
  return { chain, read };
}

test('of a long history a new block costs the rows that it adds', async () => {
  const { chain, read } = createReader();
  const memory = createStatusMemory();
  for (let block = 0; block < 700; block++) chain.addBlock(own);
  expect((await read(memory)).rows).toBe(700);
  expect((await read(memory)).rows).toBe(0);
  chain.addBlock(own);
  chain.addBlock(other);
  const { rows, ...state } = await read(memory);
  expect(rows).toBe(1);
  const { rows: _, ...fresh } = await read(createStatusMemory());
  expect(state).toEqual(fresh);
});

test('however blocks come and leave, a status is what it is without memory', async () => {
  const step = fc.constantFrom('own', 'own', 'other', 'remove', 'look');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { chain, read } = createReader();
      const memory = createStatusMemory();
      for (let block = 0; block < 40; block++) chain.addBlock(own);
      for (const each of [...steps, 'look']) {
        if (each === 'own') chain.addBlock(own);
        else if (each === 'other') chain.addBlock(other);
        else if (each === 'remove') chain.removeTip();
        else {
          const { rows: _, ...state } = await read(memory);
          const { rows: __, ...fresh } = await read(createStatusMemory());
          expect(state).toEqual(fresh);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('what was used longest ago gives way', async () => {
  const { chain, read } = createReader();
  const memory = createStatusMemory(1);
  for (let block = 0; block < 40; block++) chain.addBlock(block % 2 === 0 ? own : other);
  for (let block = 0; block < 40; block++) chain.addBlock(block % 2 === 0 ? own : other);
  expect((await read(memory)).rows).toBe(40);
  expect((await read(memory)).rows).toBe(0);
  expect((await read(memory, other)).rows).toBe(40);
  expect((await read(memory)).rows).toBe(40);
});
