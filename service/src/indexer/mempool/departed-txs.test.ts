import { expect, test } from 'vitest';
import { createDepartedTxs, type DepartedTx } from './departed-txs.ts';

const tx = (txid: string, spends: string[], outputCount = 1): DepartedTx => ({
  ...{ txid, fee: 1n, weight: 400, spends, outputCount },
});

test('what spent an output is found with what built on it, once', () => {
  const departed = createDepartedTxs();
  const [parent, child, other] = [tx('a', ['x:0', 'x:1'], 2), tx('b', ['a:1']), tx('c', ['y:0'])];
  for (const each of [child, other, parent]) departed.add(each);
  expect(departed.take('z:0', 'n')).toEqual([]);
  expect(departed.take('x:1', 'n')).toEqual([parent, child]);
  expect(departed.take('x:0', 'n')).toEqual([]);
  expect(departed.take('a:1', 'n')).toEqual([]);
  expect(departed.isEmpty).toBe(false);
  expect(departed.take('y:0', 'n')).toEqual([other]);
  expect(departed.isEmpty).toBe(true);
});

test('one that comes back replaces nothing, and is forgotten by itself', () => {
  const departed = createDepartedTxs();
  const child = tx('b', ['a:0']);
  departed.add(tx('a', ['x:0']));
  departed.add(child);
  expect(departed.take('x:0', 'a')).toEqual([]);
  expect(departed.take('x:0', 'n')).toEqual([]);
  expect(departed.take('a:0', 'n')).toEqual([child]);
});

test('above the bound the oldest are forgotten', () => {
  const departed = createDepartedTxs(3);
  for (const id of ['a', 'b', 'c', 'd']) departed.add(tx(id, [`${id}:9`]));
  expect(departed.take('a:9', 'n')).toEqual([]);
  expect(departed.take('b:9', 'n')).toHaveLength(1);
  departed.add(tx('e', ['e:1', 'e:2', 'e:3', 'e:4']));
  expect(departed.isEmpty).toBe(true);
});
