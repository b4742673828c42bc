import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { Precious } from '../../db/precious.ts';
import type { GaugeSource } from '../../http/metrics-server.ts';
import { findCursor } from './ledger/ledger-store.ts';
import { keepReconciliation } from './reconciliation/keep-reconciliation.ts';
import type { TreasuryTables } from './schema/treasury-tables.ts';

/** What `/metrics` tells of the treasury, where the coin has one; values that cannot be read are absent. */
export function listTreasuryGauges(
  precious: Precious,
  readChain: ReadChain,
  profile: CoinProfile,
): GaugeSource[] {
  const { treasury } = profile;
  if (treasury === undefined) return [];
  const reconcile = keepReconciliation({ precious, readChain, profile, treasury });
  return [
    {
      name: 'coinfront_treasury_lag_blocks',
      help: 'Blocks that the ledger of the treasury is behind the index.',
      async read() {
        try {
          const cursor = await findCursor(precious.query<TreasuryTables>());
          const tip = await readChain(async (view) => view.tip?.height);
          return cursor && tip !== undefined ? Math.max(0, tip - cursor.height) : undefined;
        } catch {
          return undefined;
        }
      },
    },
    {
      name: 'coinfront_treasury_difference',
      help: 'Coins that ledger and chain differ by, less than 0 when the ledger has more; absent while they cannot be compared.',
      async read() {
        try {
          const { reconciliation } = await reconcile();
          return reconciliation === null ? undefined : Number(reconciliation.difference);
        } catch {
          return undefined;
        }
      },
    },
  ];
}
