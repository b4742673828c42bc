/** Appends to the log of receipts, and closes epochs. Nothing here ever changes what was written. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  type EpochSummary,
  FIRST_PREVIOUS_HASH,
  hashRegistryText,
  type Receipt,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import { tellEligibility } from '../alerts/tell-owners.ts';
import type { AsTable } from '../as-table/read-as-table.ts';
import { beginEpoch, findEpochRules } from '../rewards/epoch-rules-store.ts';
import type { EpochRules } from '../rewards/reward-rules.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import { logClosedEpochs } from './epoch-log.ts';
import { findEpoch, listEpochs } from './epoch-store.ts';
import { completeParts, endsPart } from './epoch-tree.ts';
import { findFirstSequence, findLastReceipt, type StoredReceipt } from './receipt-store.ts';

/** What a receipt says, before it has a place. */
export type ReceiptDraft = Pick<
  Receipt,
  | 'kind'
  | 'node_key'
  | 'endpoint'
  | 'payout_address'
  | 'slots'
  | 'verdict'
  | 'reason'
  | 'attempts'
  | 'observed'
  | 'votes'
>;

/** What is the same for all receipts of a registry. */
export type LogRules = {
  signer: ServiceSigner;
  genesisHash: string;
  epochBlocks: number;
  /** Set aside for an epoch, base units. */
  reward: bigint | undefined;
  asTable: AsTable | undefined;
  /** Keys of the vantage points besides this service, ascending. */
  vantages: readonly string[];
};

/** When and where in the chain something is written. */
export type LogMoment = { nowMs: number; height: number; blockHash: string };

/**
 * Appends receipts; the caller holds the registry's lock until the transaction ends.
 *
 * A receipt belongs to the epoch of its height, but never to one that is closed or lies before that of the receipt before
 * it: a reorganisation may lower the height, and moves no receipt.
 */
export async function appendReceipts(
  trx: RegistryQuery,
  rules: LogRules,
  moment: LogMoment,
  drafts: readonly ReceiptDraft[],
): Promise<StoredReceipt[]> {
  await closePassedEpoch(trx, rules, moment);
  const last = await findLastReceipt(trx);
  const epoch = await findOpenEpoch(trx, last, rules.epochBlocks, moment.height);
  const made: StoredReceipt[] = [];
  let previous = last;
  for (const draft of drafts) {
    previous = makeReceipt(draft, previous, epoch, rules, moment);
    made.push(previous);
  }
  for (const { sequence, nodeKey, hash, text, signature } of made) {
    await trx
      .insertInto('registry_receipt')
      .values({ sequence, epoch, node_key: nodeKey, hash, document: text, signature })
      .execute();
  }
  const [firstMade] = made;
  if (firstMade !== undefined && previous !== undefined) {
    if (last?.epoch !== epoch)
      await beginEpoch(trx, epoch, { asTable: rules.asTable?.sha256, vantages: rules.vantages });
    const firstSequence = await findFirstSequence(trx, epoch);
    const span = { epoch, firstSequence, lastSequence: previous.sequence };
    if (endsPart(span, firstMade.sequence)) await completeParts(trx, span);
  }
  return made;
}

/** The epoch that a receipt would be in now. */
export async function findOpenEpoch(
  db: RegistryQuery,
  last: StoredReceipt | undefined,
  epochBlocks: number,
  height: number,
): Promise<number> {
  const epoch = Math.floor(height / epochBlocks);
  if (last === undefined || last.epoch < epoch) return epoch;
  return (await findEpoch(db, last.epoch)) === undefined ? last.epoch : last.epoch + 1;
}

/**
 * When the epoch before was closed that a receipt would be in now, Unix milliseconds: slots of a pause that ended until then are of an epoch
 * that is over. Undefined of the first epoch, and of one that began under rules 1 or 2, by which they count as failed all the same.
 */
export async function findPauseEnd(
  trx: RegistryQuery,
  rules: LogRules,
  moment: LogMoment,
): Promise<number | undefined> {
  await closePassedEpoch(trx, rules, moment);
  const last = await findLastReceipt(trx);
  const epoch = await findOpenEpoch(trx, last, rules.epochBlocks, moment.height);
  if (last?.epoch === epoch && (await findEpochRules(trx, epoch)).rules < 3) return undefined;
  const [before] = await listEpochs(trx, epoch, 1);
  return before?.closedAtMs;
}

function makeReceipt(
  draft: ReceiptDraft,
  previous: StoredReceipt | undefined,
  epoch: number,
  { signer, genesisHash }: LogRules,
  { nowMs, height, blockHash }: LogMoment,
): StoredReceipt {
  const sequence = previous === undefined ? 0 : previous.sequence + 1;
  const receipt: Receipt = {
    type: 'node-receipt',
    version: draft.votes === undefined ? 1 : 2,
    network: genesisHash,
    registry_key: signer.publicKey,
    sequence,
    previous_hash: previous?.hash ?? FIRST_PREVIOUS_HASH,
    epoch,
    height,
    block_hash: blockHash,
    issued_at: new Date(nowMs).toISOString(),
    ...draft,
  };
  const text = writeRegistryText(receipt);
  const hash = hashRegistryText(text);
  const signature = signer.sign(writeSignedText(receipt.type, hash));
  return { sequence, epoch, nodeKey: draft.node_key, hash, text, signature };
}

/** What a summary says of the rules of its epoch; that of rules 1 is silent. */
function describeRules({
  rules,
  slots,
  asTable,
  vantages,
}: EpochRules): Pick<EpochSummary, 'version' | 'rules' | 'slots' | 'as_table' | 'vantages'> {
  if (rules === 1) return { version: 1 };
  if (rules < 4) return { version: 2, rules, slots };
  const since3 = { rules, slots, as_table: asTable };
  return vantages.length === 0
    ? { version: 3, ...since3 }
    : { version: 4, ...since3, vantages: [...vantages] };
}

/** The vantage points that judge receipts that would be written now: those that the epoch of now began with, or would begin with. */
export async function findVantages(
  trx: RegistryQuery,
  rules: LogRules,
  moment: LogMoment,
): Promise<readonly string[]> {
  await closePassedEpoch(trx, rules, moment);
  const last = await findLastReceipt(trx);
  const epoch = await findOpenEpoch(trx, last, rules.epochBlocks, moment.height);
  return last?.epoch === epoch ? (await findEpochRules(trx, epoch)).vantages : rules.vantages;
}

/** Closes the epoch of the newest receipt once the chain is past it. */
export async function closePassedEpoch(
  trx: RegistryQuery,
  rules: LogRules,
  { nowMs, height }: LogMoment,
): Promise<void> {
  const last = await findLastReceipt(trx);
  if (last === undefined || Math.floor(height / rules.epochBlocks) <= last.epoch) return;
  if ((await findEpoch(trx, last.epoch)) !== undefined) return;
  const firstSequence = await findFirstSequence(trx, last.epoch);
  const span = { epoch: last.epoch, firstSequence, lastSequence: last.sequence };
  const root = rootOfLeaves(await completeParts(trx, span));
  const { signer, genesisHash, reward } = rules;
  const epochRules = await findEpochRules(trx, last.epoch);
  const summary: EpochSummary = {
    type: 'node-epoch',
    network: genesisHash,
    registry_key: signer.publicKey,
    epoch: last.epoch,
    first_sequence: firstSequence,
    last_sequence: last.sequence,
    receipts: last.sequence - firstSequence + 1,
    merkle_root: bytesToHex(root),
    last_hash: last.hash,
    closed_at: new Date(nowMs).toISOString(),
    ...describeRules(epochRules),
  };
  const text = writeRegistryText(summary);
  await trx
    .insertInto('registry_epoch')
    .values({
      epoch: summary.epoch,
      first_sequence: summary.first_sequence,
      last_sequence: summary.last_sequence,
      root: summary.merkle_root,
      document: text,
      signature: signer.sign(writeSignedText(summary.type, hashRegistryText(text))),
      closed_at: nowMs,
      reward: reward === undefined ? null : String(reward),
    })
    .execute();
  await logClosedEpochs(trx, signer, nowMs);
  await tellEligibility(trx, last.epoch, epochRules, nowMs);
}
