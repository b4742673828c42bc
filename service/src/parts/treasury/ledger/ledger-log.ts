/** The signed log of the ledger: its entries are heads of the ledger, one for an epoch at most (docs/protocols/treasury.md). */

import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { endedEpoch, type LoggedHead, writeLoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import { appendEntries, checkHead, type SignedLog } from '../../../signed-log/append-entries.ts';
import { listEntries } from '../../../signed-log/log-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import type { TreasuryQuery } from '../schema/treasury-tables.ts';
import { findLastSeal } from './seal-store.ts';

/** What a head is taken by. */
export type HeadRules = { signer: ServiceSigner; network: string; epochBlocks: number };

/** The log has heads of epochs that are still to come. */
export class EpochsChangedError extends Error {
  override readonly name = 'EpochsChangedError';
  constructor() {
    super(
      "The log of the treasury's ledger has epochs that are still to come: COINFRONT_REGISTRY_EPOCH_BLOCKS was made longer. Set it as it was; " +
        'until then no head of the ledger is logged, and none anchored.',
    );
  }
}

/** The origin of the ledger's log; undefined while no entry is sealed. */
export async function findLedgerLog(db: TreasuryQuery): Promise<string | undefined> {
  const seal = await findLastSeal(db);
  return seal && logOrigin('treasury-ledger', seal.service_key);
}

/**
 * Appends the head of the ledger to its log when an epoch has ended since the head before, and something was written since. The caller holds
 * the cursor until the transaction ends, and the ledger is at the tip.
 *
 * @throws LogBrokenError when what is stored is not what was signed
 * @throws EpochsChangedError
 */
export async function logLedgerHead(
  trx: TreasuryQuery,
  { signer, network, epochBlocks }: HeadRules,
  { height, nowMs }: { height: number; nowMs: number },
): Promise<void> {
  const epoch = endedEpoch(height, epochBlocks);
  const seal = await findLastSeal(trx);
  if (epoch === undefined || seal === undefined || seal.service_key !== signer.publicKey) return;
  const tables = onLogTables(trx);
  const origin = logOrigin('treasury-ledger', signer.publicKey);
  const log: SignedLog = { origin, publicKey: signer.publicKey, sign: (text) => signer.sign(text) };
  const head = await checkHead(tables, log);
  const [newest] = head === undefined ? [] : await listEntries(tables, origin, head.size - 1, 1);
  const last = newest === undefined ? undefined : (JSON.parse(newest) as LoggedHead);
  // A reorganisation may lead back into the epoch before, and no further.
  if (last !== undefined && last.epoch > epoch + 1) throw new EpochsChangedError();
  if (last !== undefined && (last.epoch >= epoch || last.sequence >= seal.sequence)) return;
  const next: LoggedHead = {
    ...{ type: 'treasury-head', version: 1, network, service_key: signer.publicKey, epoch },
    ...{ sequence: seal.sequence, hash: seal.hash, taken_at: new Date(nowMs).toISOString() },
  };
  await appendEntries(tables, log, [writeLoggedHead(next)], nowMs);
}
