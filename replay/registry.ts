import { flip, fromHex, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { checkCheckpoint, NOTE_BYTES, readSize } from './checkpoint.ts';
import type { Client } from './client.ts';
import { type Comparable, expectSame } from './difference.ts';
import { type Json, listNew } from './list-new.ts';
import type { Coin } from './profile.ts';
import { shareRewards } from './rewards.ts';
import { findLogRoot, hashText, isSigned } from './signed-log.ts';
import { checkVotes } from './votes.ts';

/** Checks the signed log of a node registry: `docs/protocols/registry.md`. */
export type RegistryChecker = {
  /**
   * Checks what is new in the log, and that what was there before still is.
   *
   * @param height - told of with a difference
   */
  check(height: number): Promise<LogSize>;
};

/** `checkpoints`: how many were checked until now. */
export type LogSize = { readonly receipts: number; readonly epochs: number; readonly checkpoints: number };

/** What is kept of a receipt: enough to check those that follow it, and its epoch. */
type Kept = {
  readonly sequence: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly key: string;
  readonly epoch: number;
  readonly height: number;
  /** End of the slots that it judges; undefined where it is void. */
  readonly judged: string | undefined;
  /** Of a node that was looked at: who voted, by keys; nothing where nobody was asked. */
  readonly voters: string | undefined;
};

type Same = (what: string, ours: Comparable, theirs: Comparable) => void;

const BASE = '/api/nodeproof';
const RECEIPT = 'node registry receipt, version 1';
const EPOCH = 'node registry epoch, version 1';
const NO_HASH = '0'.repeat(64);

/** @param client - asks the base of a service */
export function createRegistryChecker(client: Client, coin: Coin): RegistryChecker {
  const network = toHex(flip(coin.genesisHash));
  /** Receipts of epochs that are not closed yet, in order. */
  let open: Kept[] = [];
  let head: Kept | undefined;
  let closed: { epoch: number; hash: string } | undefined;
  /** Texts of the summaries of all closed epochs: the entries of the registry's log. */
  const summaries: Uint8Array[] = [];
  /** Keys that have signed receipts, oldest first. */
  const keys: string[] = [];
  /** Statements of vantage points of the newest slot, by hash. */
  const statements = new Map<string, Json>();
  let checkpoints = 0;

  const readCheckpoint = () => client.text(`${BASE}/log/checkpoint`, NOTE_BYTES);
  const size = (): LogSize => ({
    ...{ receipts: head ? head.sequence + 1 : 0, epochs: summaries.length, checkpoints },
  });

  return {
    async check(height) {
      const status = await client.json(`${BASE}/status`);
      const key: unknown = status?.registry_key;
      const same: Same = (what, ours, theirs) => expectSame(height, what, ours, theirs);
      if (typeof key !== 'string') {
        same('registry_key of the registry', keys.at(-1), undefined);
        same('receipts of a registry without a key', 0, status?.receipts ?? 0);
        return size();
      }
      // The checkpoint before epochs, these before receipts: all that is told of is there then.
      const early = await readCheckpoint();
      const ofEpochs = await listNew(client, `${BASE}/epochs`, {
        isKnown: (item) => item.epoch === closed?.epoch,
        read: (item) => item,
      });
      const ofReceipts = await listNew(client, `${BASE}/receipts`, {
        isKnown: (item) => item.receipt.sequence === head?.sequence,
        read: (item) => ({ kept: readReceipt(item, same), receipt: item.receipt }),
      });
      if (head) same(`hash of receipt ${head.sequence}`, head.hash, ofReceipts?.known?.hash);
      for (const { kept, receipt } of ofReceipts?.items ?? []) {
        checkPlace(kept, head, same);
        if (receipt.votes) checkVotes(receipt, await findStatements(receipt), same);
        open.push(kept);
        head = kept;
      }
      if (closed) same(`hash of epoch ${closed.epoch}`, closed.hash, ofEpochs?.known?.hash);
      for (const item of ofEpochs?.items ?? []) {
        checkEpoch(item, [...keys, key], same);
        if (item.state === 'closed') await checkRewards(client, item.summary, same);
      }
      // And once more: what was told of meanwhile has to be in it.
      const late = summaries.length === 0 ? undefined : await readCheckpoint();
      if (summaries.length > 0) {
        same('whether there is a checkpoint of the registry', true, late !== undefined);
        const isWhole = readSize(late ?? '') >= summaries.length;
        same(`whether the checkpoint has the ${summaries.length} epochs of the registry`, true, isWhole);
      }
      const known = [early, late].find((note) => note !== undefined && readSize(note) === summaries.length);
      const note = known ?? early;
      if (note !== undefined) {
        checkCheckpoint(note, { kind: 'node-registry', key, entries: summaries, height });
        checkpoints++;
      }
      return size();
    },
  };

  /** What a receipt says for itself. */
  function readReceipt({ receipt, hash, signature }: Json, same: Same): Kept {
    const { sequence, epoch, height, previous_hash: previousHash, registry_key: key } = receipt;
    const at = `receipt ${sequence}`;
    same(`hash of ${at}`, hashText(receipt), hash);
    same(
      `whether the signature of ${at} is that of its key`,
      true,
      isSigned(RECEIPT, hash, signature, String(key)),
    );
    same(`network of ${at}`, network, receipt.network);
    const judged = receipt.verdict === 'void' ? undefined : receipt.slots.to;
    const isLook = receipt.kind === 'probe' && receipt.reason !== 'backed_off';
    const names: string[] = (receipt.votes ?? []).map(({ vantage }: Json) => vantage);
    const voters = isLook ? names.filter((name) => name !== key).join() : undefined;
    return { sequence, hash, previousHash, key, epoch, height, judged, voters };
  }

  /** The statements that a receipt names; those of its slot are those of the receipt before, too. */
  async function findStatements({ votes }: Json): Promise<ReadonlyMap<string, Json>> {
    const hashes: string[] = votes.flatMap((vote: Json) => vote.statements);
    for (const hash of statements.keys()) if (!hashes.includes(hash)) statements.delete(hash);
    for (const hash of hashes.filter((each) => !statements.has(each))) {
      const shown = await client.json(`${BASE}/looks/${hash}`);
      if (shown) statements.set(hash, shown);
    }
    return statements;
  }

  /** A receipt follows the one before it. */
  function checkPlace(receipt: Kept, before: Kept | undefined, same: Same): void {
    const sequence = before ? before.sequence + 1 : 0;
    same('sequence of a receipt', sequence, receipt.sequence);
    same(`previous_hash of receipt ${sequence}`, before?.hash ?? NO_HASH, receipt.previousHash);
    const lowest = before?.epoch ?? 0;
    same(`whether receipt ${sequence} is in no earlier epoch`, true, receipt.epoch >= lowest);
    // An operator may take another key, and has told of it then; none of before signs any more.
    if (keys.at(-1) === receipt.key) return;
    same(`whether the key of receipt ${sequence} is one of before`, false, keys.includes(receipt.key));
    keys.push(receipt.key);
  }

  function checkEpoch(item: Json, known: readonly string[], same: Same): void {
    const { epoch, state, summary, hash, signature, from_height: from, to_height: to } = item;
    const at = `epoch ${epoch}`;
    const receipts = open.filter((each) => each.epoch === epoch);
    same(
      `receipt of a later block in ${at}`,
      undefined,
      receipts.find(({ height }) => height > to)?.sequence,
    );
    same(`from_height of ${at}`, epoch * (to - from + 1), from);
    if (state !== 'closed') return;
    same(`hash of ${at}`, hashText(summary), hash);
    const key = String(summary.registry_key);
    same(`whether the signature of ${at} is that of its key`, true, isSigned(EPOCH, hash, signature, key));
    same(`number in the summary of ${at}`, epoch, summary.epoch);
    same(`whether the key of ${at} is one of the registry`, true, known.includes(key));
    same(`network of ${at}`, network, summary.network);
    same(`receipts of ${at}`, receipts.length, summary.receipts);
    same(`first_sequence of ${at}`, receipts[0]?.sequence, summary.first_sequence);
    same(`last_sequence of ${at}`, receipts.at(-1)?.sequence, summary.last_sequence);
    same(`last_hash of ${at}`, receipts.at(-1)?.hash, summary.last_hash);
    same(
      `merkle_root of ${at}`,
      findLogRoot(receipts.map((each) => fromHex(each.hash))),
      summary.merkle_root,
    );
    const isOfRules4 = summary.rules >= 4;
    same(`whether ${at} says its table of systems`, isOfRules4, summary.as_table !== undefined);
    const vantages: string[] = summary.vantages ?? [];
    same(
      `version of ${at}`,
      isOfRules4 ? (vantages.length > 0 ? 4 : 3) : undefined,
      summary.version > 2 ? summary.version : undefined,
    );
    const others = receipts.find(({ voters }) => voters !== undefined && voters !== vantages.join());
    same(`receipt of ${at} that other vantage points voted on`, undefined, others?.sequence);
    if (summary.version >= 2) same(`slots of ${at}`, countSlots(receipts), summary.slots);
    open = open.filter((each) => each.epoch > epoch);
    closed = { epoch, hash };
    summaries.push(Buffer.from(writeCanonicalJson(summary)));
  }
}

/** The final preview of an epoch's rewards shares them by the rules of its summary; rules 1 are not checked. */
async function checkRewards(client: Client, summary: Json, same: Same): Promise<void> {
  if (!(summary.rules >= 2)) return;
  const at = `rewards of epoch ${summary.epoch}`;
  const items: Json[] = [];
  let cursor = '';
  let pool = 0n;
  do {
    const page = await client.json(`${BASE}/rewards/preview?epoch=${summary.epoch}&limit=100${cursor}`);
    same(`whether there are ${at}`, true, page !== undefined);
    same(`rules of the ${at}`, summary.rules, page.rules);
    same(`slots of the ${at}`, summary.slots, page.slots);
    same(`table of the ${at}`, summary.as_table ?? null, page.as_table);
    items.push(...page.items);
    pool = toUnits(page.pool);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  const nodes = items.map((item) => ({
    ...{
      key: item.node_key,
      passed: item.slots.passed,
      failed: item.slots.failed,
      proven: item.proven_slots,
    },
    ...{ othersPassed: item.others_at_endpoint.passed, othersFailed: item.others_at_endpoint.failed },
    ...{ network: item.network, asn: item.asn, address: item.payout_address },
  }));
  const shares = shareRewards(nodes, { rules: summary.rules, slots: summary.slots, pool });
  for (const [i, share] of shares.entries()) {
    const item = items[i];
    same(`node ${i} of the ${at}`, share.key, item.node_key);
    same(`eligibility of ${share.key} in the ${at}`, share.eligibility, item.eligibility);
    same(`weight of ${share.key} in the ${at}`, String(share.weight), item.weight);
    same(`amount of ${share.key} in the ${at}`, String(share.amount), String(toUnits(item.amount)));
  }
}

/** Amounts are written with all of their decimals. */
function toUnits(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Slots in which any node passed or failed: of receipts in order, those of the same slots once. */
function countSlots(receipts: readonly Kept[]): number {
  const judged = receipts.flatMap((each) => each.judged ?? []);
  return judged.filter((to, i) => to !== judged[i - 1]).length;
}
