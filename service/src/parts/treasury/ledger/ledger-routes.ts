import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { LeaderboardView, LedgerView } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import { listDisplays } from '../contributors/contributor-store.ts';
import { describeCursor, displayOf } from '../contributors/serialise-contributor.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { emptyTotals, readTotals } from './ledger-rules.ts';
import { findCursor, listEntries } from './ledger-store.ts';
import { serialiseEntry } from './serialise-entry.ts';
import { countStandings, listStandings } from './standing-store.ts';

const LEDGER = 'treasury-ledger';
const LEADERBOARD = 'treasury-leaderboard';

/** `GET /ledger` and `GET /contributors`. */
export function registerLedgerRoutes(app: FastifyInstance, context: TreasuryContext): void {
  const { precious, profile, treasury } = context;
  const amount = (value: bigint) => formatAmount(value, profile.decimals);

  registerCall(app, {
    method: 'GET',
    path: '/ledger',
    query: PageQuery,
    response: LedgerView,
    cache: 'volatile',
    operation: {
      document: 'treasury',
      id: 'listLedger',
      tag: 'Ledger',
      summary: 'Public verified treasury ledger',
      description:
        'Every movement of the treasury in the chain, newest first: each entry names transaction and block, and can be checked. ' +
        'Entries are only ever added: when a block leaves the chain its entries are taken back by reversals, and ' +
        'added anew when the transaction is mined again.',
      errors: ['invalid_cursor', 'index_unavailable', 'treasury_not_configured'],
      example: treasuryExamples.ledger,
    },
    async call({ query }) {
      const db = precious.query<TreasuryTables>();
      const [below] = decodeCursor(LEDGER, '', query.cursor, 1) ?? [];
      const cursor = await findCursor(db);
      const limit = query.limit ?? pageLimits.default;
      const rows = await listEntries(db, below ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const page = rows.slice(0, limit);
      const displays = await listDisplays(
        db,
        page.flatMap(({ contributor_id }) => contributor_id ?? []),
      );
      const state = { tipHeight: cursor?.height ?? 0, confirmations: treasury.confirmations };
      return {
        as_of: describeCursor(cursor),
        items: page.map((row) =>
          serialiseEntry(row, {
            ...state,
            decimals: profile.decimals,
            display: row.contributor_id === null ? null : displayOf(displays.get(row.contributor_id)),
          }),
        ),
        next_cursor: rows.length > limit ? encodeCursor(LEDGER, '', [page.at(-1)!.sequence]) : null,
      };
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/contributors',
    query: PageQuery,
    response: LeaderboardView,
    cache: 'volatile',
    operation: {
      document: 'treasury',
      id: 'listContributors',
      tag: 'Contributors',
      summary: 'Verified contributor leaderboard',
      description:
        'Contributors with verified contributions: the largest sum first, of equal ones the one that was verified in ' +
        'the earlier block, then by id. Those that do not want to be shown are "Anonymous", in their place.',
      errors: ['invalid_cursor', 'cursor_expired', 'index_unavailable', 'treasury_not_configured'],
      example: treasuryExamples.leaderboard,
    },
    async call({ query }) {
      const db = precious.query<TreasuryTables>();
      const cursor = await findCursor(db);
      const [offset = 0, standings] = decodeCursor(LEADERBOARD, '', query.cursor, 2) ?? [];
      if (standings !== undefined && standings !== cursor?.standings) {
        throw new AppError(
          'cursor_expired',
          'Contributions were verified or reversed since the page before; begin the list anew.',
        );
      }
      const limit = query.limit ?? pageLimits.default;
      const rows = await listStandings(db, offset, limit + 1);
      const page = rows.slice(0, limit);
      const displays = await listDisplays(
        db,
        page.map(({ contributor_id }) => contributor_id),
      );
      const totals = cursor === undefined ? emptyTotals() : readTotals(cursor.totals);
      return {
        as_of: describeCursor(cursor),
        contributors: await countStandings(db),
        verified_total: amount(totals.contribution - totals.waiting),
        items: page.map((row, i) => ({
          rank: offset + i + 1,
          contributor: displayOf(displays.get(row.contributor_id)),
          verified_total: amount(BigInt(row.total)),
          contributions: row.contributions,
          first_verified_height: row.first_height,
        })),
        next_cursor:
          rows.length > limit
            ? encodeCursor(LEADERBOARD, '', [offset + limit, cursor?.standings ?? 0])
            : null,
      };
    },
  });
}
