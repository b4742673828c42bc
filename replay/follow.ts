import { setTimeout as delay } from 'node:timers/promises';
import type { Block } from './block.ts';
import { flip, isEqual, toHex } from './bytes.ts';
import { Unavailable } from './client.ts';
import type { Compared } from './compare.ts';
import { expectSame } from './difference.ts';
import type { Ledger, Tip } from './ledger.ts';
import type { Coin } from './profile.ts';
import type { Source } from './source.ts';
import type { Input } from './transaction.ts';

/** What is done with a ledger on its way. */
export type Follower = {
  /** A block was connected. `moved`: whoever is compared with is on another branch; it is asked again. */
  onBlock(tip: Tip): Promise<Compared>;
  /** There is no block above, or none that is asked for. */
  onEnd(tip: Tip, isTip: boolean): Promise<Compared>;
  onReorg(lost: Tip): void;
};

export type FollowOptions = {
  readonly coin: Coin;
  readonly source: Source;
  /** Makes a ledger to begin with; again where its beginning has left the chain. Undefined: the server is not ready for it. */
  readonly begin: () => Promise<Ledger | undefined>;
  /** What to do with a ledger that begins. */
  readonly start: (ledger: Ledger) => Follower;
  /** Last height; undefined: the tip. */
  readonly to: number | undefined;
  /** Milliseconds between looks for a new tip; undefined: it ends at the tip. */
  readonly watchMs: number | undefined;
  readonly signal: AbortSignal;
};

/** How often a server is asked again that is on another branch than its own blocks are, or lacks one. */
const LOOKS = 300;
const LOOK_MS = 200;

/** Follows the chain of a source from where a ledger begins, through reorganisations. @throws Difference, Unreadable, Unavailable */
export async function follow({
  coin,
  source,
  begin,
  start,
  to,
  watchMs,
  signal,
}: FollowOptions): Promise<void> {
  /** Looks in vain for what the server should have. */
  let waits = 0;
  let ledger = await beginAnew();
  let follower = start(ledger);

  /** Whether the tip of the ledger is a block of the source's chain. */
  const isCurrent = async ({ height, hash }: Tip): Promise<boolean> => {
    const theirs = await source.findHash(height);
    return theirs !== undefined && isEqual(theirs, hash);
  };

  async function undo(tip: Tip): Promise<void> {
    source.clear();
    follower.onReorg(tip);
    if (ledger.undo()) return;
    ledger = await beginAnew();
    follower = start(ledger);
  }

  /** Compares at a height, as long as it takes. False: another block came, or the tip was undone, meanwhile. */
  async function compare(tip: Tip, compared: () => Promise<Compared>, isTip = false): Promise<boolean> {
    for (let looks = 0; (await compared()) === 'moved'; looks++) {
      if (isTip && (await source.findHash(tip.height + 1)) !== undefined) return false;
      if (!(await isCurrent(tip))) {
        await undo(tip);
        return false;
      }
      const [ours, theirs] = [`as of block ${toHex(flip(tip.hash))}`, 'as of another block, or none'];
      if (looks === LOOKS) expectSame(tip.height, 'hashes, states and ledgers', ours, theirs);
      await delay(LOOK_MS, undefined, { signal });
    }
    return true;
  }

  async function beginAnew(): Promise<Ledger> {
    for (;;) {
      const begun = await begin();
      if (begun) return begun;
      await waitFor('a block to begin with');
    }
  }

  async function waitFor(what: string): Promise<void> {
    if (++waits > LOOKS) throw new Unavailable(`the server has not ${what}`);
    await delay(LOOK_MS, undefined, { signal });
  }

  /** Connects a block, unless it is of another branch, or the source no longer has what it spends. */
  async function connect(block: Block, tip: Tip | undefined): Promise<void> {
    if (tip && !isEqual(block.prevHash, tip.hash)) return await undo(tip);
    const scripts = await findScripts(source, ledger.listSenders(block), block);
    if (scripts === undefined) return await waitFor('what a block spends');
    waits = 0;
    if (tip === undefined)
      expectSame(0, 'genesis block', toHex(flip(coin.genesisHash)), toHex(flip(block.hash)));
    ledger.connect(block, (input) => scripts.get(input)!);
    const connected = ledger.tip()!;
    await compare(connected, () => follower.onBlock(connected));
  }

  for (;;) {
    signal.throwIfAborted();
    const tip = ledger.tip();
    const height = tip ? tip.height + 1 : 0;
    const isAsked = to === undefined || height <= to;
    const block = isAsked ? await source.findBlock(height) : undefined;
    if (block !== undefined) {
      await connect(block, tip);
    } else if (tip === undefined) {
      await waitFor('a first block');
    } else if (!(await isCurrent(tip))) {
      await undo(tip);
    } else {
      const isTip = isAsked || (await source.findHash(height)) === undefined;
      if (!(await compare(tip, () => follower.onEnd(tip, isTip), isTip))) continue;
      if (watchMs === undefined || !isAsked) return;
      await awaitChange(tip);
    }
  }

  async function awaitChange(tip: Tip): Promise<void> {
    for (;;) {
      const height = await source.findHeight();
      if (height > tip.height || !(await isCurrent(tip))) return;
      await delay(watchMs, undefined, { signal });
    }
  }
}

/** What the senders of a block's operations spend: outputs of the block, or of transactions before it. */
async function findScripts(
  source: Source,
  inputs: readonly Input[],
  { txs }: Block,
): Promise<Map<Input, Uint8Array> | undefined> {
  if (inputs.length === 0) return new Map();
  const within = new Map(txs.map((tx) => [toHex(tx.txid), tx]));
  const found = new Map<Input, Uint8Array>();
  const others: Input[] = [];
  for (const input of inputs) {
    const script = within.get(toHex(input.prevTxid))?.outputs[input.prevVout]?.script;
    if (script) found.set(input, script);
    else others.push(input);
  }
  const fetched = await source.findScripts(others);
  return fetched && new Map([...found, ...fetched]);
}
