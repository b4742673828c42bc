import { expect, test } from 'vitest';
import { createBlockLedger, type LedgerBlock } from './block-ledger.ts';

function block(hash: string, previousHash: string | undefined, pays: Record<string, string>): LedgerBlock {
  const outputs = Object.entries(pays).map(([txid, address]) => ({ txid, vout: 0, address, amount: 5n }));
  return { hash, previousHash, txids: Object.keys(pays), outputs };
}

test('what a block paid is there until the block is gone', () => {
  const ledger = createBlockLedger();
  ledger.connect(block('a', undefined, { t1: 'alice' }));
  ledger.connect(block('b', 'a', { t2: 'alice', t3: 'bob' }));
  expect(ledger.listOutputs('alice').map(({ txid, height }) => [txid, height])).toEqual([
    ['t1', 0],
    ['t2', 1],
  ]);
  expect([ledger.height(), ledger.hashAt(1), ledger.findHeight('t3')]).toEqual([1, 'b', 1]);
  ledger.disconnect();
  expect(ledger.listOutputs('alice').map(({ txid }) => txid)).toEqual(['t1']);
  expect([ledger.listOutputs('bob'), ledger.findHeight('t3'), ledger.hashAt(1)]).toEqual([
    [],
    undefined,
    undefined,
  ]);
  ledger.connect(block('c', 'a', { t3: 'bob' }));
  expect(ledger.listOutputs('bob')).toMatchObject([{ txid: 't3', height: 1 }]);
  expect(ledger.listNewest(2)).toEqual(['t3', 't1']);
});

test('a block of another branch is refused', () => {
  const ledger = createBlockLedger();
  ledger.connect(block('a', undefined, {}));
  expect(() => ledger.connect(block('c', 'b', {}))).toThrow('not on top');
});
