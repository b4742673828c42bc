import { PayoutList, PayoutQuery, scanLimits } from '@coinfront/api/chain-addresses.ts';
import { AddressParams } from '@coinfront/api/common.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { addressExamples } from './examples-chain.ts';
import { isMature, parseAddress } from './serialise-address.ts';
import { formatTime } from './serialise-block.ts';

/** No block has room for more outputs: 1,000,000 bytes without witnesses, 9 bytes each. */
const maxOutputsOfBlock = 111_111;

/** `/mining/address/{address}`. */
export function registerMiningRoutes(app: FastifyInstance, context: ChainContext): void {
  const { profile } = context;

  registerRead(app, context, {
    path: '/mining/address/:address',
    params: AddressParams,
    query: PayoutQuery,
    response: PayoutList,
    dependsOn: 'tip',
    operation: {
      document: 'chain',
      id: 'listCoinbasePayouts',
      tag: 'Mining',
      summary: 'Coinbase payouts to an address',
      description:
        'What coinbases of the latest `scan` blocks pay to the address, newest first, and totals over the whole chain. ' +
        'A coinbase that pays the address by several outputs has an entry for each. A cursor expires when the last block ' +
        'shown was replaced.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.payouts,
    },
    async read({ view, tip, params, query }) {
      const { script, fields } = parseAddress(params.address, profile);
      const limit = query.limit ?? pageLimits.default;
      const scan = query.scan ?? scanLimits.default;
      const fromHeight = Math.max(0, tip.height - scan + 1);
      const list = { kind: 'payouts', subject: fields.address };
      const from = await readRowCursor(view, list, query.cursor, 1);
      const [shown = 0] = from?.numbers ?? [];
      // A coinbase may pay one script several times; a cursor inside such a block counts what was shown of it.
      const end = Math.min(shown, maxOutputsOfBlock) + limit;
      const rows = await view.listCoinbasePayouts(script, fromHeight, from && from.height + 1, end + 1);
      const page = rows.slice(end - limit, end);
      const last = page.at(-1);
      const shownOfLast = rows.slice(0, end).filter((row) => row.height === last?.height).length;
      const totals = await view.getCoinbasePayoutTotals(script);
      return {
        address: fields.address,
        totals: {
          blocks: totals.blocks,
          value: formatAmount(totals.value, profile.decimals),
          first_height: totals.firstHeight ?? null,
          last_height: totals.lastHeight ?? null,
        },
        scanned: { from_height: fromHeight, to_height: tip.height },
        items: page.map((payout) => ({
          height: payout.height,
          block_hash: toDisplayHash(payout.hash),
          time: formatTime(payout.time),
          txid: toDisplayHash(payout.txid),
          vout: payout.vout,
          value: formatAmount(payout.value, profile.decimals),
          confirmations: confirmationsAt(payout.height, tip),
          mature: isMature(payout.height, tip, profile),
        })),
        next_cursor:
          rows.length > end && last !== undefined
            ? await makeRowCursor(view, list, last.height, [shownOfLast])
            : null,
      };
    },
  });
}
