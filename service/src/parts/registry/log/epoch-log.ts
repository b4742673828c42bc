/** The signed log of the registry: its entries are the closed epochs, in their order (docs/protocols/signed-log.md). */

import type { EpochSummary } from '@coinfront/protocol/registry/receipt.ts';
import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Precious } from '../../../db/precious.ts';
import { appendEntries, checkHead, type SignedLog } from '../../../signed-log/append-entries.ts';
import { listEntries } from '../../../signed-log/log-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import { findProber } from '../probing/prober-store.ts';
import { lockRegistry } from '../registry-context.ts';
import type { RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { listEpochsUp } from './epoch-store.ts';

/** Epochs that are appended at once where many are missing: those that were closed before there was a log. */
const BITE = 500;

/** The origin of the registry's log; undefined until the prober ran once. */
export async function findEpochLog(db: RegistryQuery): Promise<string | undefined> {
  const prober = await findProber(db);
  return prober && logOrigin('node-registry', prober.registry_key);
}

/**
 * Appends the closed epochs that the log does not have yet; the caller holds the registry's lock until the transaction ends.
 *
 * @throws LogBrokenError when what is stored is not what was signed
 */
export async function logClosedEpochs(
  trx: RegistryQuery,
  signer: ServiceSigner,
  nowMs: number,
): Promise<void> {
  const origin = logOrigin('node-registry', signer.publicKey);
  const log: SignedLog = { origin, publicKey: signer.publicKey, sign: (text) => signer.sign(text) };
  const tables = onLogTables(trx);
  const head = await checkHead(tables, log);
  const [newest] = head === undefined ? [] : await listEntries(tables, origin, head.size - 1, 1);
  let last = newest === undefined ? -1 : (JSON.parse(newest) as EpochSummary).epoch;
  for (;;) {
    const missing = await listEpochsUp(trx, last, BITE);
    if (missing.length === 0) return;
    await appendEntries(
      tables,
      log,
      missing.map(({ text }) => text),
      nowMs,
    );
    last = missing.at(-1)!.epoch;
  }
}

/**
 * At the start of whoever appends: the log has to be what was signed, and gets the epochs that were closed before there was one.
 *
 * @throws LogBrokenError
 */
export async function openEpochLog(precious: Precious, signer: ServiceSigner, nowMs: number): Promise<void> {
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await logClosedEpochs(trx, signer, nowMs);
  });
}
