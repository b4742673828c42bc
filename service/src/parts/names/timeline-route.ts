import { type NameEventJson, NameTimeline } from '@coinfront/api/name-timeline.ts';
import { MAX_LOOKED_NAMES, NameParams } from '@coinfront/api/names.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { createPlaceReader } from '../../chain/tx-place.ts';
import { AppError } from '../../errors.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import type { NameRouteContext } from './name-context.ts';
import { listPassedEvents } from './name-events.ts';
import { nameExamples } from './name-examples.ts';
import { findName, listValidOperations, type OperationRow } from './name-store.ts';
import { parseRequestName } from './parse-request-name.ts';
import { describeListedParty, describeMoment } from './serialise-name.ts';

const kinds: Readonly<Record<string, NameEventJson['kind']>> = {
  register: 'registered',
  renew: 'renewed',
  transfer: 'transferred',
  reverse: 'shown',
  records: 'described',
};

const isOwnerChange = (kind: string | null) => kind === 'register' || kind === 'transfer';

/** `/name/{name}/timeline`. */
export function registerNameTimelineRoute(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile } = context;

  registerRead(app, context, {
    path: '/name/:name/timeline',
    params: NameParams,
    query: PageQuery,
    response: NameTimeline,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'getNameTimeline',
      tag: 'Names',
      summary: 'The life of a name',
      description:
        'What was done with a name, and what became of it when nothing was: its expiry, the end of its grace, and of the premium. ' +
        'Invalid operations changed nothing and are not among it; `/name/{name}` has them.',
      errors: ['name_invalid', 'name_not_found', 'cursor_expired'],
      parameterExamples: { name: nameExamples.name.name },
      example: nameExamples.timeline,
    },
    async read({ view, tip, params, query }) {
      const { name } = parseRequestName(params.name, rules);
      if ((await findName(view.reader, name)) === undefined) {
        throw new AppError('name_not_found', `${name} was never registered; see /availability/${name}.`);
      }
      const list = { kind: 'name_timeline', subject: name };
      const limit = query.limit ?? pageLimits.default;
      const from = await readRowCursor(view, list, query.cursor, 2);
      const before = from && ([from.height, from.numbers[0]!] as const);
      const { operations, next } = await listValidOperations(
        view.reader,
        name,
        before,
        limit,
        MAX_LOOKED_NAMES,
      );
      const readPlace = createPlaceReader(view);
      const moment = (height: number) => describeMoment(view, tip, height, profile);
      const party = (script: Uint8Array | null) => script && describeListedParty(script, profile);

      const describeOperation = async (row: OperationRow): Promise<NameEventJson> => ({
        kind: kinds[row.kind!]!,
        at: await moment(row.height),
        txid: toDisplayHash((await readPlace(row.height, row.position)).txid),
        sender: party(row.sender),
        owner: isOwnerChange(row.kind) ? party(row.owner ?? row.sender) : null,
        periods: row.periods,
        paid: row.paid === null ? null : formatAmount(BigInt(row.paid), profile.decimals),
        expiry: row.expiry,
      });
      const items: NameEventJson[] = [];
      // Where a page was full of invalid ones, the next valid operation is further up than the cursor.
      let later = from?.numbers[1] || undefined;
      for (const row of operations) {
        for (const { kind, height } of listPassedEvents(row, later, rules).reverse()) {
          const none = { txid: null, sender: null, owner: null, periods: null, paid: null, expiry: null };
          items.push({ kind, at: await moment(height), ...none });
        }
        items.push(await describeOperation(row));
        later = row.height;
      }
      return {
        name,
        as_of: describeAsOf(tip),
        items,
        next_cursor: next && (await makeRowCursor(view, list, next[0], [next[1], later ?? 0])),
      };
    },
  });
}
