import { expect, test } from 'vitest';
import { filterOperations, type OperationGroups } from './filter-operations.ts';

const groups: OperationGroups = [
  [
    'Blocks',
    [
      { method: 'GET', path: '/blocks', operation: { operationId: 'listBlocks', summary: 'Recent blocks' } },
      { method: 'GET', path: '/block/{id}', operation: { parameters: [{ name: 'id', in: 'path' }] } },
    ],
  ],
  ['Transactions', [{ method: 'POST', path: '/broadcast', operation: { summary: 'Send a transaction' } }]],
];
const paths = (filter: string) =>
  filterOperations(groups, filter).flatMap(([, operations]) => operations.map(({ path }) => path));

test.each([
  ['', ['/blocks', '/block/{id}', '/broadcast']],
  ['  ', ['/blocks', '/block/{id}', '/broadcast']],
  ['post', ['/broadcast']],
  ['RECENT', ['/blocks']],
  ['get block', ['/blocks', '/block/{id}']],
  ['block id', ['/block/{id}']],
  ['(', []],
])('%j leaves %j', (filter, left) => expect(paths(filter)).toEqual(left));

test('a group of which nothing is left is not there', () => {
  expect(filterOperations(groups, 'broadcast').map(([tag]) => tag)).toEqual(['Transactions']);
});
