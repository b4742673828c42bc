import {
  ExpiringNameList,
  ExpiringNameQuery,
  expiringBlocks,
  MAX_LOOKED_NAMES,
  NameList,
  NameListQuery,
} from '@coinfront/api/names.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { nameBytes, nameText } from '@coinfront/protocol/names/name-syntax.ts';
import type { FastifyInstance } from 'fastify';
import { decodeKeyCursor, decodeTextCursor, encodeKeyCursor, encodeTextCursor } from '../../http/cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import type { NameRouteContext } from './name-context.ts';
import { nameExamples } from './name-examples.ts';
import { type ExpiryPlace, listExpiringNames, listNames } from './name-store.ts';
import { describeListed, describeMoment, expiriesOfState } from './serialise-name.ts';

const LIST = 'all_names';
const EXPIRING = 'expiring_names';

/** The lists of names of all owners: by name, and by what ends soon. */
export function registerNameListRoutes(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile } = context;

  registerRead(app, context, {
    path: '/names',
    query: NameListQuery,
    response: NameList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'listNames',
      tag: 'Names',
      summary: 'All names, or those of a beginning or a state',
      description:
        'Names that were registered once, in their order. Those of an address are in `/address/{address}`, those that end soon in `/expiring`.',
      errors: [],
      example: nameExamples.list,
    },
    async read({ view, tip, query }) {
      const { prefix: start = '', state } = query;
      const subject = `${start} ${state ?? ''}`;
      const filter = {
        start,
        after: decodeTextCursor(LIST, subject, query.cursor),
        expiries: state && expiriesOfState(state, tip.height, rules),
      };
      const limit = query.limit ?? pageLimits.default;
      const { names, next } = await listNames(view.reader, filter, limit, MAX_LOOKED_NAMES);
      const items = [];
      for (const record of names) items.push(await describeListed(view, tip, record, context));
      return {
        as_of: describeAsOf(tip),
        items,
        next_cursor: next === undefined ? null : encodeTextCursor(LIST, subject, next),
      };
    },
  });

  registerRead(app, context, {
    path: '/expiring',
    query: ExpiringNameQuery,
    response: ExpiringNameList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'listExpiringNames',
      tag: 'Names',
      summary: 'Names that end soon, the first first',
      description:
        'Names whose expiry, or whose grace, ends within so many blocks behind the tip. What is in the mempool does not count: a ' +
        'renewal may be on its way.',
      errors: [],
      example: nameExamples.expiring,
    },
    async read({ view, tip, query }) {
      const ends = query.ends ?? 'expiry';
      const later = ends === 'grace' ? rules.graceBlocks : 0;
      const lastHeight = tip.height + (query.within ?? expiringBlocks.default);
      const range = { from: tip.height + 1 - later, to: lastHeight - later };
      const limit = query.limit ?? pageLimits.default;
      const after = readPlace(ends, query.cursor);
      const found = await listExpiringNames(view.reader, range, after, limit + 1);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const items = [];
      for (const record of shown) {
        items.push({
          ...(await describeListed(view, tip, record, context)),
          ends_at: await describeMoment(view, tip, record.expiry + later, profile),
        });
      }
      return {
        as_of: describeAsOf(tip),
        ends,
        last_height: lastHeight,
        items,
        next_cursor:
          found.length > limit && last
            ? encodeKeyCursor(EXPIRING, ends, [last.expiry], nameBytes(last.name))
            : null,
      };
    },
  });
}

/** @throws AppError `invalid_cursor` */
function readPlace(ends: string, cursor: string | undefined): ExpiryPlace | undefined {
  if (cursor === undefined) return undefined;
  const { numbers, key } = decodeKeyCursor(EXPIRING, ends, cursor, 1);
  return { expiry: numbers[0]!, name: nameText(key) };
}
