import { pageLimits } from '@coinfront/api/common.ts';
import {
  TokenAddressParams,
  type TokenEventJson,
  TokenEventList,
  TokenEventQuery,
  TokenParams,
} from '@coinfront/api/tokens.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { sha256 } from '../../indexer/hashes.ts';
import { getToken } from './get-token.ts';
import {
  listScriptOperations,
  listTokenOperations,
  type OperationPlace,
  type OperationRow,
} from './operation-store.ts';
import { readAddress, serialiseOperation } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import type { IndexedToken } from './token-rows.ts';
import { findToken } from './token-store.ts';

type PageRequest = { include?: 'invalid'; limit?: number; cursor?: string };
type ListRows = (options: {
  withInvalid: boolean;
  before: OperationPlace | undefined;
  limit: number;
}) => Promise<OperationRow[]>;

/** `/tokens/{token_id}/events` and `/addresses/{address}/events`. */
export function registerEventRoutes(app: FastifyInstance, context: TokenRouteContext): void {
  const readPage = async (
    view: ChainView,
    tip: BlockRecord,
    list: { kind: string; subject: string },
    query: PageRequest,
    listRows: ListRows,
  ) => {
    const limit = query.limit ?? pageLimits.default;
    const from = await readRowCursor(view, list, query.cursor, 1);
    const before = from && { height: from.height, position: from.numbers[0]! };
    const rows = await listRows({ withInvalid: query.include === 'invalid', before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      as_of: describeAsOf(tip),
      items: await serialiseRows(view, tip, shown, context),
      next_cursor:
        rows.length > limit && last !== undefined
          ? await makeRowCursor(view, list, last.height, [last.position])
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
      summary: 'Event history of a token: CREATE, MINT, TRANSFER, BURN',
      description:
        'Newest first, of confirmed transactions only. `include=invalid` lists also operations that named the token and ' +
        'changed nothing, each with its reason.',
      errors: ['token_not_found', 'cursor_expired'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: tokenExamples.events,
    },
    async read({ view, tip, params, query }) {
      const { tokenId } = await getToken(view, params.token_id);
      const list = { kind: 'token events', subject: bytesToHex(tokenId) };
      return await readPage(view, tip, list, query, (options) =>
        listTokenOperations(view.reader, tokenId, options),
      );
    },
  });

  registerRead(app, context, {
    path: '/addresses/:address/events',
    params: TokenAddressParams,
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
        'Newest first: what it sent and what it received. `include=invalid` lists also what it sent that changed nothing.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: tokenExamples.address },
      example: tokenExamples.events,
    },
    async read({ view, tip, params, query }) {
      const scriptHash = sha256(readAddress(params.address, context.profile));
      const list = { kind: 'address events', subject: bytesToHex(scriptHash) };
      return await readPage(view, tip, list, query, (options) =>
        listScriptOperations(view.reader, scriptHash, options),
      );
    },
  });
}

async function serialiseRows(
  view: ChainView,
  tip: BlockRecord,
  rows: readonly OperationRow[],
  context: TokenRouteContext,
): Promise<TokenEventJson[]> {
  const known = new Map<string, IndexedToken | undefined>();
  const events: TokenEventJson[] = [];
  for (const row of rows) {
    const id = row.token_id === null ? '' : bytesToHex(row.token_id);
    if (row.token_id !== null && !known.has(id)) known.set(id, await findToken(view.reader, row.token_id));
    events.push(await serialiseOperation(view, tip, row, known.get(id), context));
  }
  return events;
}
