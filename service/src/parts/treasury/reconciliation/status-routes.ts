import {
  type TreasuryHealthJson,
  TreasuryHealthView,
  type TreasuryStatusJson,
  TreasuryStatusView,
} from '@coinfront/api/treasury.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { countSuffixes } from '@coinfront/protocol/treasury/exact-amount.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import { countContributors } from '../contributors/contributor-store.ts';
import { describeCursor } from '../contributors/serialise-contributor.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import { findLastSeal } from '../ledger/seal-store.ts';
import type { SealTable, TreasuryTables } from '../schema/treasury-tables.ts';
import { createIsNearEnd } from '../scripts/account-end.ts';
import { listScripts } from '../scripts/script-store.ts';
import { type TreasuryContext, type TreasuryPartContext, treasuryApiVersion } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { gracePeriodMs } from '../treasury-limits.ts';
import { keepReconciliation } from './keep-reconciliation.ts';

/** `GET /health`, which answers also where the coin has no treasury. */
export function registerHealthRoute(
  app: FastifyInstance,
  { precious, readChain, profile, findNodeHeight, isNodeAvailable }: TreasuryPartContext,
): void {
  const isNearEnd = createIsNearEnd(profile, profile.treasury);
  registerCall(app, {
    method: 'GET',
    path: '/health',
    response: TreasuryHealthView,
    cache: 'none',
    operation: {
      document: 'treasury',
      id: 'getTreasuryHealth',
      tag: 'Service',
      summary: 'Service health',
      description:
        'Answers 200 as long as the service lives, and says how far the ledger is: a contribution in a block above ' +
        '`ledger_height` is not in it yet. Unknown heights are null.',
      errors: ['index_unavailable'],
      example: treasuryExamples.health,
    },
    async call(): Promise<TreasuryHealthJson> {
      const { treasury } = profile;
      const db = precious.query<TreasuryTables>();
      const cursor = treasury ? await findCursor(db) : undefined;
      const tip = await readChain(async (view) => view.tip?.height);
      const nodeHeight = findNodeHeight();
      const ledgerHeight = describeCursor(cursor)?.height;
      const isBehind = tip === undefined || (ledgerHeight ?? -1) < Math.max(tip, nodeHeight ?? 0);
      return {
        status: !treasury
          ? 'not_configured'
          : cursor && cursor.script !== bytesToHex(treasury.script)
            ? 'other_address'
            : !isNodeAvailable()
              ? 'node_unavailable'
              : isBehind
                ? 'behind'
                : 'ok',
        version: treasuryApiVersion,
        ledger_height: ledgerHeight ?? null,
        index_height: tip ?? null,
        node_height: nodeHeight ?? null,
        account_near_end: treasury?.account !== undefined && isNearEnd(await listScripts(db)),
      };
    },
  });
}

/** Other addresses that are shown. */
const MOST_SHOWN = 2_000;

/** `GET /status`. */
export function registerStatusRoute(app: FastifyInstance, context: TreasuryContext): void {
  const { precious, profile, treasury } = context;
  const reconcile = keepReconciliation(context);
  registerCall(app, {
    method: 'GET',
    path: '/status',
    response: TreasuryStatusView,
    cache: 'volatile',
    operation: {
      document: 'treasury',
      id: 'getTreasuryStatus',
      tag: 'Ledger',
      summary: 'Treasury status and on-chain reconciliation',
      description:
        'The rules, and every figure of the ledger beside the unspent outputs of its addresses, at one block. `difference` ' +
        'is 0: ledger_total = verified_in + confirming_in + unattributed_in + coinbase_in + change_in - out - fees = ' +
        'utxo_total. Anybody with a node can check utxo_total by `scantxoutset`. While the ledger cannot be compared the ' +
        'reconciliation is null, never an old one.',
      errors: ['index_unavailable', 'treasury_not_configured'],
      example: treasuryExamples.status,
    },
    async call() {
      const db = precious.query<TreasuryTables>();
      return {
        address: treasury.address,
        script: bytesToHex(treasury.script),
        other_addresses: (await listScripts(db))
          .slice(0, MOST_SHOWN)
          .map((script) => encodeAddress(getHexBytes(script), profile) ?? script),
        marker: bytesToHex(treasury.marker),
        confirmations_required: treasury.confirmations,
        minimum_amount: formatAmount(profile.dustLimit, profile.decimals),
        suffixes: countSuffixes(profile.decimals),
        intent_grace_seconds: gracePeriodMs / 1_000,
        indexed: describeCursor(await findCursor(db)),
        network: profile.genesisHash,
        head: describeHead(await findLastSeal(db)),
        epoch_blocks: context.epochBlocks,
        contributors: await countContributors(db),
        ...(await reconcile()),
      };
    },
  });
}

function describeHead(seal: SealTable | undefined): TreasuryStatusJson['head'] {
  if (seal === undefined) return null;
  const { sequence, hash, service_key, signature } = seal;
  return { sequence, hash, service_key, signature };
}
