/** Walks the whole log and finds whatever does not follow from it. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createEpochTally, type EpochTally } from '@coinfront/protocol/registry/epoch-tally.ts';
import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import {
  type EpochSummary,
  FIRST_PREVIOUS_HASH,
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { Precious } from '../../../db/precious.ts';
import { isSignedBy } from '../../../signing/is-signed-by.ts';
import { listEpochs, type StoredEpoch } from '../log/epoch-store.ts';
import { listReceiptsUp, type StoredReceipt } from '../log/receipt-store.ts';
import { listNodes } from '../nodes/node-store.ts';
import { findEpochRules } from '../rewards/epoch-rules-store.ts';
import { listEpochNodes } from '../rewards/verdict-store.ts';
import type { RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { checkVotes, votersOf } from './check-votes.ts';
import { verifyEpochLog } from './verify-epoch-log.ts';

export type VerifyOptions = {
  precious: Precious;
  genesisHash: string | undefined;
  /** The operator's own key, hex; undefined when its file is not here. */
  registryKey: string | undefined;
  /** Hash of a receipt that was seen earlier, and has to be in the log. */
  head: string | undefined;
};

/** What was found. */
export type RegistryVerification = {
  receipts: number;
  nodes: number;
  lastHash: string | undefined;
  /** Keys that signed anything. */
  keys: string[];
  /** One line each, the first {@link MAX_FAULTS}. */
  faults: string[];
  isCut: boolean;
};

const PAGE = 1_000;
const MAX_FAULTS = 100;

type Tally = { passed: number; failed: number };
type EpochWalk = {
  first: number;
  leaves: Uint8Array[];
  counted: ReturnType<typeof createEpochTally>;
  /** Who voted in its receipts, by keys. */
  voters: Set<string | undefined>;
};

/** Verifies the log: chain, signatures, epochs, and what is counted of nodes. The service may go on meanwhile. */
export async function verifyRegistry(options: VerifyOptions): Promise<RegistryVerification> {
  const { precious, registryKey, head } = options;
  const db = precious.query<RegistryTables>();
  const faults: string[] = [];
  let isCut = false;
  const report = (fault: string) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
    else isCut = true;
  };
  // Read first: the log may grow while it is walked, and must then hold all of this.
  const nodes = await listNodes(db, {
    state: undefined,
    afterKey: undefined,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const epochs = (await listEpochs(db, undefined, Number.MAX_SAFE_INTEGER)).reverse();
  const closed = new Map(epochs.map((each) => [each.epoch, each]));
  const keys = new Set<string>();
  const totals = new Map<string, Tally>();
  let walk: EpochWalk | undefined;
  let previous: StoredReceipt | undefined;
  let hasHead = head === undefined;

  /** Statements of the newest slots, by hash. */
  const statements = new Map<string, SignedLooks>();

  const endEpoch = async (epoch: number, { first, leaves, counted, voters }: EpochWalk): Promise<void> => {
    const summary = closed.get(epoch);
    closed.delete(epoch);
    if (summary === undefined) return;
    checkEpoch(summary, { first, leaves, last: previous! }, report);
    const { vantages = [] } = JSON.parse(summary.text) as EpochSummary;
    for (const named of voters)
      if (named !== undefined && named !== vantages.join())
        report(`epoch ${epoch}: other vantage points voted than it names`);
    keys.add((JSON.parse(summary.text) as EpochSummary).registry_key);
    await checkTally(db, summary, counted.tally, report);
  };

  for (;;) {
    const page = await listReceiptsUp(db, (previous?.sequence ?? -1) + 1, PAGE);
    for (const stored of page) {
      const receipt = checkReceipt(stored, previous, report);
      if (receipt !== undefined) {
        keys.add(receipt.registry_key);
        if (options.genesisHash !== undefined && receipt.network !== options.genesisHash)
          report(`receipt ${stored.sequence}: it is of another network`);
      }
      if (previous === undefined || previous.epoch !== stored.epoch) {
        if (walk && previous) await endEpoch(previous.epoch, walk);
        walk = { first: stored.sequence, leaves: [], counted: createEpochTally(), voters: new Set() };
      }
      walk?.leaves.push(leafOfReceipt(stored.hash));
      if (receipt) {
        walk?.counted.add(receipt);
        walk?.voters.add(votersOf(receipt));
        count(receipt, totals);
        const fault = await checkVotes(db, receipt, statements);
        if (fault !== undefined) report(`receipt ${stored.sequence}: ${fault}`);
      }
      hasHead ||= stored.hash === head;
      previous = stored;
    }
    if (page.length < PAGE) break;
  }
  if (walk && previous) await endEpoch(previous.epoch, walk);
  await verifyEpochLog(db, registryKey, epochs, report);
  for (const epoch of closed.keys()) report(`epoch ${epoch}: its receipts are gone`);
  for (const node of nodes) {
    if (node.last_sequence !== null && node.last_sequence > (previous?.sequence ?? -1))
      report(`node ${node.node_key}: its last receipt ${node.last_sequence} is gone`);
    const tally = totals.get(node.node_key) ?? { passed: 0, failed: 0 };
    // Receipts may have come since the node was read, never gone.
    if (node.passed > tally.passed || node.failed > tally.failed)
      report(`node ${node.node_key}: it has more slots than its receipts`);
  }
  if (!hasHead) report(`no receipt has the hash ${head}, which was seen earlier`);
  for (const key of keys) {
    if (registryKey !== undefined && key !== registryKey)
      report(`key ${key}: it has signed, and is not the key of this registry`);
  }
  return {
    receipts: (previous?.sequence ?? -1) + 1,
    nodes: nodes.length,
    lastHash: previous?.hash,
    keys: [...keys],
    faults,
    isCut,
  };
}

function checkReceipt(
  stored: StoredReceipt,
  previous: StoredReceipt | undefined,
  report: (fault: string) => void,
): Receipt | undefined {
  const { sequence, text, hash, signature } = stored;
  const fault = (what: string) => report(`receipt ${sequence}: ${what}`);
  const expected = previous === undefined ? 0 : previous.sequence + 1;
  if (sequence !== expected) fault(`it follows ${expected - 1}: receipts are gone`);
  let receipt: Receipt;
  try {
    receipt = JSON.parse(text) as Receipt;
    if (writeRegistryText(receipt) !== text) fault('its text is not the one of RFC 8785');
  } catch {
    fault('its text is no JSON');
    return undefined;
  }
  if (hashRegistryText(text) !== hash) fault('its text has another hash');
  if (!isSignedBy(receipt.registry_key, writeSignedText('node-receipt', hashRegistryText(text)), signature))
    fault('its signature is wrong');
  if (receipt.sequence !== sequence) fault('it is of another place');
  if (receipt.previous_hash !== (previous?.hash ?? FIRST_PREVIOUS_HASH))
    fault('it does not follow the receipt before');
  if (receipt.epoch !== stored.epoch || receipt.node_key !== stored.nodeKey)
    fault('it is listed under another epoch or node');
  if (previous !== undefined && stored.epoch < previous.epoch)
    fault('its epoch lies before that of the one before');
  return receipt;
}

function checkEpoch(
  stored: StoredEpoch,
  { first, leaves, last }: { first: number; leaves: readonly Uint8Array[]; last: StoredReceipt },
  report: (fault: string) => void,
): void {
  const fault = (what: string) => report(`epoch ${stored.epoch}: ${what}`);
  const summary = JSON.parse(stored.text) as EpochSummary;
  const hash = hashRegistryText(stored.text);
  if (!isSignedBy(summary.registry_key, writeSignedText('node-epoch', hash), stored.signature))
    fault('its signature is wrong');
  const root = bytesToHex(rootOfLeaves(leaves));
  if (summary.merkle_root !== root || stored.root !== root) fault('its receipts have another root');
  const isSame =
    summary.epoch === stored.epoch &&
    summary.first_sequence === first &&
    summary.last_sequence === last.sequence &&
    summary.receipts === leaves.length &&
    summary.last_hash === last.hash &&
    stored.firstSequence === first &&
    stored.lastSequence === last.sequence;
  if (!isSame) fault('it sums up other receipts');
}

/** What an epoch's rewards are shared by is what its receipts say. */
async function checkTally(
  db: RegistryQuery,
  { epoch, text }: StoredEpoch,
  counted: EpochTally,
  report: (fault: string) => void,
): Promise<void> {
  const summary = JSON.parse(text) as EpochSummary;
  const { rules, slots, asTable, vantages } = await findEpochRules(db, epoch);
  const isSaid = rules === (summary.rules ?? 1) && slots === (summary.slots ?? 0);
  if (
    !isSaid ||
    asTable !== (summary.as_table ?? null) ||
    vantages.join() !== (summary.vantages ?? []).join()
  )
    report(`epoch ${epoch}: it has other rules, slots, tables or vantage points than it says`);
  if (rules !== 1 && slots !== counted.slots)
    report(`epoch ${epoch}: its receipts are of ${counted.slots} slots, not of ${slots}`);
  for (const node of await listEpochNodes(db, epoch)) {
    const tally = counted.nodes.get(node.nodeKey);
    const isSame = (['passed', 'failed', ...(rules === 1 ? [] : sinceRules2)] as const).every(
      (name) => (tally?.[name] ?? 0) === node[name],
    );
    if (!isSame) report(`node ${node.nodeKey}: its slots of epoch ${epoch} are not those of its receipts`);
  }
}

/** What rules 1 do not ask for. */
const sinceRules2 = ['proven', 'othersPassed', 'othersFailed'] as const;

function count({ node_key, verdict, slots }: Receipt, totals: Map<string, Tally>): void {
  if (node_key === null || verdict === 'void') return;
  const tally = totals.get(node_key) ?? { passed: 0, failed: 0 };
  if (verdict === 'pass') tally.passed += slots.count;
  else tally.failed += slots.count;
  totals.set(node_key, tally);
}
