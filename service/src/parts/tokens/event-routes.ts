import { AddressParams } from '@coinfront/api/common.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import {
  type TokenEventJson,
  TokenEventList,
  TokenEventQuery,
  TokenFeedQuery,
  TokenParams,
} from '@coinfront/api/tokens.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getToken } from './get-token.ts';
import {
  listOperationsFrom,
  listScriptOperations,
  listTokenOperations,
  type OperationPage,
  type OperationPlace,
  type OperationRow,
  placeOfOperation,
} from './operation-store.ts';
import { readAddress, serialiseOperation } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import type { IndexedToken } from './token-rows.ts';
import { findNumberedToken, findScriptNumber } from './token-store.ts';

type PageRequest = { include?: 'invalid'; limit?: number; cursor?: string };
type ListRows = (page: OperationPage) => Promise<OperationRow[]>;

/** `/tokens/{token_id}/events`, `/addresses/{address}/events` and `/tok/events`. */
export function registerEventRoutes(app: FastifyInstance, context: TokenRouteContext): void {
  const readPage = async (
    view: ChainView,
    tip: BlockRecord,
    list: { kind: string; subject: string },
    query: PageRequest,
    listRows: ListRows,
    charge: (bytes: number) => void,
  ) => {
    const limit = query.limit ?? pageLimits.default;
    const before = readPlace(await readRowCursor(view, list, query.cursor, 2));
    const rows = await listRows({ withInvalid: query.include === 'invalid', before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const items = await serialiseRows(view, tip, shown, context, charge);
    const last = items.at(-1);
    return {
      as_of: describeAsOf(tip),
      items,
      next_cursor:
        rows.length > limit && last !== undefined
          ? await makeRowCursor(view, list, last.height, listPlace(shown.at(-1)!))
          : null,
    };
  };

  registerRead(app, context, {
    path: '/tokens/:token_id/events',
    params: TokenParams,
    query: TokenEventQuery,
    response: TokenEventList,
    dependsOn: 'tip',
    cost: 3,
    operation: {
      document: 'tokens',
      id: 'listTokenEvents',
      tag: 'Tokens',
      summary: 'Event history of a token: CREATE, MINT, TRANSFER, BURN, SWEEP',
      description:
        'Newest first, of confirmed transactions only. `include=invalid` lists also operations that named the token and ' +
        'changed nothing, each with its reason, those before its CREATE too.',
      errors: ['token_not_found', 'cursor_expired'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: tokenExamples.events,
    },
    async read({ view, tip, params, query, charge }) {
      const token = await getToken(view, params.token_id);
      const list = { kind: 'token events', subject: bytesToHex(token.tokenId) };
      const listRows: ListRows = (page) => listTokenOperations(view.reader, token, page);
      return await readPage(view, tip, list, query, listRows, charge);
    },
  });

  registerRead(app, context, {
    path: '/addresses/:address/events',
    params: AddressParams,
    query: TokenEventQuery,
    response: TokenEventList,
    dependsOn: 'tip',
    cost: 3,
    operation: {
      document: 'tokens',
      id: 'listAddressTokenEvents',
      tag: 'Addresses',
      summary: 'Confirmed token activity of an address',
      description:
        'Newest first: what it sent and what it received; a SWEEP is there once for each token that it moved. `include=invalid` lists also what it sent that changed nothing.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: tokenExamples.address },
      example: tokenExamples.events,
    },
    async read({ view, tip, params, query, charge }) {
      const script = readAddress(params.address, context.profile);
      const list = { kind: 'address events', subject: bytesToHex(script) };
      const scriptId = await findScriptNumber(view.reader, script);
      const listRows: ListRows = async (page) =>
        scriptId === undefined ? [] : await listScriptOperations(view.reader, scriptId, page);
      return await readPage(view, tip, list, query, listRows, charge);
    },
  });

  registerRead(app, context, {
    path: '/tok/events',
    query: TokenFeedQuery,
    response: TokenEventList,
    dependsOn: 'tip',
    cost: 3,
    operation: {
      document: 'tokens',
      id: 'listTokenFeed',
      tag: 'Index',
      summary: 'Operations of all tokens, block by block',
      description:
        'Oldest first, in the order of the chain; a SWEEP is there once for each token that it moved. Without a `next_cursor` these were all up to the tip that `as_of` names: go on with ' +
        '`from_height` one above it. When a block whose operations were read is replaced, its cursor expires; whoever keeps none ' +
        'compares `block_hash`. `include=invalid` lists also operations that changed nothing, each with its reason.',
      errors: ['cursor_expired'],
      example: tokenExamples.events,
    },
    async read({ view, tip, query, charge }) {
      const limit = query.limit ?? pageLimits.default;
      const { from_height = 0, to_height = tip.height, include } = query;
      const list = { kind: 'token feed', subject: `${from_height} ${query.to_height} ${include}` };
      const after = readPlace(await readRowCursor(view, list, query.cursor, 2));
      const first = await view.findBlockAt(from_height);
      const behind = await view.findBlockAt(to_height + 1);
      const rows =
        first === undefined
          ? []
          : await listOperationsFrom(view.reader, {
              withInvalid: include === 'invalid',
              from: after === undefined ? { txId: first.firstTxId } : { after },
              beforeTxId: behind?.firstTxId ?? Number.MAX_SAFE_INTEGER,
              limit: limit + 1,
            });
      const shown = rows.slice(0, limit);
      const items = await serialiseRows(view, tip, shown, context, charge);
      const last = items.at(-1);
      return {
        as_of: describeAsOf(tip),
        items,
        next_cursor:
          rows.length > limit && last !== undefined
            ? await makeRowCursor(view, list, last.height, listPlace(shown.at(-1)!))
            : null,
      };
    },
  });
}

function readPlace(cursor: { numbers: readonly number[] } | undefined): OperationPlace | undefined {
  return cursor && { txId: cursor.numbers[0]!, tokenNumber: cursor.numbers[1]! };
}

function listPlace(row: OperationRow): number[] {
  const { txId, tokenNumber } = placeOfOperation(row);
  return [txId, tokenNumber];
}

async function serialiseRows(
  view: ChainView,
  tip: BlockRecord,
  rows: readonly OperationRow[],
  context: TokenRouteContext,
  charge: (bytes: number) => void,
): Promise<TokenEventJson[]> {
  const known = new Map<number, IndexedToken | undefined>();
  const events: TokenEventJson[] = [];
  for (const row of rows) {
    const number = row.token_number;
    if (number !== null && !known.has(number))
      known.set(number, await findNumberedToken(view.reader, number));
    const token = number === null ? undefined : known.get(number);
    events.push(await serialiseOperation(view, tip, row, token, context, charge));
  }
  return events;
}
