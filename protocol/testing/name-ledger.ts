import { bytesToHex } from '../bytes.ts';
import { hashState } from '../hash-chain.ts';
import {
  commitStateRow,
  encodeNameEvent,
  isLiveCommit,
  isLiveName,
  isLiveWord,
  nameStateRow,
  recordsStateRow,
  reverseStateRow,
} from '../names/name-canonical.ts';
import type { NameReason } from '../names/name-reasons.ts';
import {
  applyNameOperation,
  type CommitRecord,
  type NameContext,
  type NameEvent,
  type NameRecord,
  prepareNameOperation,
  type RecordsRecord,
  type ReverseRecord,
} from '../names/name-rules.ts';
import type { PlacedTransaction } from '../operation.ts';
import { createHashLog, createJournal } from './ledger.ts';

/** What became of one transaction that carries a name payload. */
export type NameEntry =
  | { position: number; event: NameEvent; bytes: Uint8Array }
  | { position: number; reason: NameReason };

/** The name registry in memory: the rules and nothing else, for suites to compare the service with. */
export type NameLedger = {
  /** Applies the transactions of one block, in their order; every block from the activation on must come. */
  connectBlock(
    height: number,
    blockHash: Uint8Array,
    transactions: readonly PlacedTransaction[],
  ): NameEntry[];
  disconnectBlock(): void;
  findName(name: string): NameRecord | undefined;
  findCommit(commitment: Uint8Array): CommitRecord | undefined;
  listNames(): NameRecord[];
  /** The name that a script's owner wants it to be shown with, whether it counts or not. */
  findReverse(owner: Uint8Array): ReverseRecord | undefined;
  listReverse(): ReverseRecord[];
  /** Text records of names, whether they count or not. */
  listRecords(): RecordsRecord[];
  chainHash(): Uint8Array;
  stateHash(): Uint8Array;
};

/** Creates an empty registry. */
export function createNameLedger(context: NameContext): NameLedger {
  const journal = createJournal();
  const names = journal.createMap<NameRecord>();
  const commits = journal.createMap<CommitRecord>();
  const reverses = journal.createMap<ReverseRecord>();
  const records = journal.createMap<RecordsRecord>();
  const hashes = createHashLog();
  const heights: number[] = [];

  const judge = (placed: PlacedTransaction): NameEntry | undefined => {
    const { position } = placed;
    const read = prepareNameOperation(placed, context);
    if (read.kind === 'none') return undefined;
    if (read.kind === 'invalid') return { position, reason: read.reason };
    const { name, commitment } = read.prepared;
    const record = name && names.get(name.name);
    const outcome = applyNameOperation(
      read.prepared,
      {
        name: record,
        commit: commitment && commits.get(bytesToHex(commitment)),
        reverse: record && reverses.get(bytesToHex(record.owner)),
      },
      context,
    );
    if (!outcome.ok) return { position, reason: outcome.reason };
    const { changes, event } = outcome;
    if (changes.name) names.set(changes.name.name, changes.name);
    if (changes.commit) commits.set(bytesToHex(changes.commit.commitment), changes.commit);
    if (changes.spentCommitment) commits.set(bytesToHex(changes.spentCommitment), undefined);
    if (changes.reverse) reverses.set(bytesToHex(changes.reverse.owner), changes.reverse);
    if (changes.endedReverse) reverses.set(bytesToHex(changes.endedReverse), undefined);
    if (changes.records) records.set(changes.records.name, changes.records);
    if (changes.endedRecords !== undefined) records.set(changes.endedRecords, undefined);
    return { position, event, bytes: encodeNameEvent(placed, event) };
  };

  return {
    connectBlock(height, blockHash, transactions) {
      journal.begin();
      heights.push(height);
      const entries = transactions.map(judge).filter((entry) => entry !== undefined);
      hashes.connect(
        blockHash,
        entries.flatMap((entry) => ('bytes' in entry ? [entry.bytes] : [])),
      );
      return entries;
    },
    disconnectBlock() {
      journal.undo();
      heights.pop();
      hashes.disconnect();
    },
    findName: (name) => names.get(name),
    findCommit: (commitment) => commits.get(bytesToHex(commitment)),
    listNames: () => names.values(),
    findReverse: (owner) => reverses.get(bytesToHex(owner)),
    listReverse: () => reverses.values(),
    listRecords: () => records.values(),
    chainHash: hashes.chain,
    stateHash() {
      const height = heights.at(-1) ?? -1;
      const { rules } = context;
      return hashState([
        ...names
          .values()
          .filter((record) => isLiveName(record, height, rules))
          .map(nameStateRow),
        ...commits
          .values()
          .filter((record) => isLiveCommit(record, height, rules))
          .map(commitStateRow),
        ...reverses
          .values()
          .filter(({ name }) => isLiveWord(names.get(name)!, height, rules))
          .map(reverseStateRow),
        ...records
          .values()
          .filter(({ name }) => isLiveWord(names.get(name)!, height, rules))
          .map(recordsStateRow),
      ]);
    },
  };
}
