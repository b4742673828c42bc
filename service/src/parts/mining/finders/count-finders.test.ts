import { expect, test } from 'vitest';
import { countFinders, type MarkedBlock, readMarks } from './count-finders.ts';

const payee = (byte: number) => Uint8Array.of(0x51, byte);
const block = (height: number, tag: string | undefined, to: number | undefined): MarkedBlock => ({
  height,
  time: height,
  paid: 50n,
  tag,
  payee: to === undefined ? undefined : payee(to),
});

test('blocks are counted by their tag, those without one by whom they pay; most blocks first', () => {
  const finders = countFinders(
    [
      block(9, '/coinpool/ rig 5', 1),
      block(8, '/coinpool/', 2),
      block(7, '/Other/', 3),
      block(6, undefined, 3),
      block(5, undefined, 3),
      block(4, undefined, undefined),
      block(3, '/Other/', 3),
      block(2, '/coinpool/', 1),
    ],
    '/coinpool/',
  );
  expect(
    finders.map(({ tag, payee: to, isPool, blocks, paid, last }) => [
      tag,
      to?.[1],
      isPool,
      blocks,
      paid,
      last.height,
    ]),
  ).toEqual([
    ['/coinpool/', undefined, true, 3, 150n, 9],
    ['/Other/', 3, false, 2, 100n, 7],
    [undefined, 3, false, 2, 100n, 6],
    [undefined, undefined, false, 1, 50n, 4],
  ]);
  // A coin without a pool has no tag of its own.
  expect(countFinders([block(1, '/coinpool/', 1)], undefined)).toMatchObject([{ isPool: false }]);
  expect(countFinders([], '/coinpool/')).toEqual([]);
});

test('a coinbase names its tag, and whom it pays most of what can be spent', () => {
  const outputs = [
    { value: 3n, script: payee(1) },
    { value: 2n, script: payee(2) },
    { value: 2n, script: payee(2) },
    { value: 9n, script: Uint8Array.of(0x6a, 1, 1) },
    { value: 9n, script: new Uint8Array(200).fill(0x51) },
  ];
  const inputs = [{ scriptSig: Buffer.from('\u0003\u0001\u0002\u0003/coinpool/') }];
  expect(readMarks({ inputs, outputs } as never)).toEqual({ tag: '/coinpool/', payee: payee(2) });
  expect(readMarks({ inputs: [], outputs: [] } as never)).toEqual({ tag: undefined, payee: undefined });
});
