import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView, ReadChain } from '../../../chain/chain-view.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { type GiveWay, readScriptState, type ScriptState } from '../scripts/read-script.ts';
import { hashOfName, nameOfScript } from '../scripts/script-name.ts';
import type { StatusMemory } from '../scripts/status-memory.ts';
import type { ScriptWatches, WatchedScript } from './script-watches.ts';

/**
 * Finds out what a new state of the index changes for those who watch scripts. Work is done for scripts that are watched alone: each is looked
 * up among those that new blocks and transactions touch, and its status is computed once for all of its watchers.
 */
export type IndexFollower = {
  /** The index may have a new state: looks at it, and tells. Never rejects. */
  look(): Promise<void>;
  /** A script is watched from now on; what changed since it was read is found out. */
  noteAdded(script: WatchedScript): void;
  /** Whether what is remembered of a script is what a view of this revision shows. */
  isCurrent(script: WatchedScript, revision: number): boolean;
};

export type FollowerOptions = {
  readonly readChain: ReadChain;
  readonly watches: ScriptWatches;
  readonly reading: { readonly giveWay: GiveWay; readonly memory: StatusMemory };
  /** Whether anybody watches anything. */
  readonly isWatched: () => boolean;
  readonly onTip: (tip: BlockRecord, auxpow: Uint8Array, revision: number) => void;
  /** The status of a script has changed. */
  readonly onStatus: (script: WatchedScript) => void;
  /** The script has more history than can be told of. */
  readonly onTooLarge: (script: WatchedScript, error: RpcError) => void;
  readonly onFailure: (error: unknown) => void;
};

/** A state of the index that was looked at. */
type Position = {
  readonly revision: number;
  readonly tip: BlockRecord | undefined;
  /** Hashes of the last blocks up to the tip, and the height of the first of them. */
  readonly recent: { readonly from: number; readonly hashes: readonly Uint8Array[] };
  readonly newestId: number;
  readonly mempoolTxs: number;
};

/** What became of a look: where it got to, and which scripts may have changed. */
type Found = {
  readonly position: Position;
  readonly dirty: Set<WatchedScript>;
  readonly auxpow: Uint8Array;
  /** Whether it may be told: no blocks left since the last one, or the mempool was looked at since. */
  readonly isWhole: boolean;
};

/** Blocks whose hashes are remembered; a deeper reorganisation looks at all scripts. */
const RECENT_BLOCKS = 200;
/** Entries of the index that are read for new blocks: of some fifty full ones. Beyond that all scripts are looked at. */
const MOST_ENTRIES = 1_000_000;
/** A node may be too busy to be looked at, milliseconds. */
const LONGEST_WAIT_MS = 5_000;
/** Scripts whose statuses are computed from one snapshot, before others are let in. */
const SCRIPTS_AT_ONCE = 64;

/** Creates a follower that has looked at nothing. */
export function createIndexFollower(options: FollowerOptions): IndexFollower {
  const { readChain, watches, reading } = options;
  let position: Position | undefined;
  /** The newest revision whose changes are, or were, looked up among the scripts. */
  let reached = -1;
  const dirty = new Set<WatchedScript>();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let waitingSinceMs: number | undefined;

  const step = async (): Promise<void> => {
    if (!options.isWatched()) {
      position = undefined;
      dirty.clear();
      return;
    }
    const found = await readChain(async (view) => {
      if (view.mempool.version === position?.revision) return undefined;
      reached = Math.max(reached, view.mempool.version);
      return await findChanges(view, watches, position);
    });
    if (found && mustWait(found)) return;
    if (found) {
      const before = position;
      position = found.position;
      for (const script of found.dirty) dirty.add(script);
      const { tip, revision } = position;
      if (tip && (!before?.tip || !equalBytes(before.tip.hash, tip.hash)))
        options.onTip(tip, found.auxpow, revision);
    }
    await tellStatuses();
  };

  /**
   * Where blocks left, what they had is taken for unconfirmed until the node's mempool was looked at: the node may not want all of it. Nobody
   * is told of what it never had.
   */
  const mustWait = ({ isWhole }: Found): boolean => {
    if (isWhole) {
      waitingSinceMs = undefined;
      return false;
    }
    waitingSinceMs ??= performance.now();
    return performance.now() - waitingSinceMs < LONGEST_WAIT_MS;
  };

  const tellStatuses = async (): Promise<void> => {
    while (dirty.size > 0) {
      const scripts = [...takeSome(dirty, SCRIPTS_AT_ONCE)];
      const read = await readChain(async (view) => ({
        revision: view.mempool.version,
        states: await readStates(view, scripts, reading),
      })).catch((error: unknown) => {
        for (const script of scripts) dirty.add(script);
        throw error;
      });
      for (const [i, script] of scripts.entries()) tellStatus(script, read.states[i]!, read.revision);
      await reading.giveWay();
    }
  };

  const tellStatus = (script: WatchedScript, state: ScriptState | RpcError, revision: number): void => {
    // Nobody watches it any more, or somebody has read a later state meanwhile.
    if (script.watchers === undefined || revision <= script.revision) return;
    if (state instanceof RpcError) {
      options.onTooLarge(script, state);
      return;
    }
    const isNew = state.status !== script.status;
    watches.update(script, state, revision);
    if (isNew) options.onStatus(script);
  };

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await step().catch(options.onFailure);
    }
    running = undefined;
  };

  return {
    look() {
      isWanted = true;
      running ??= run();
      return running;
    },
    noteAdded(script) {
      if (script.revision >= reached) return;
      dirty.add(script);
      void this.look();
    },
    isCurrent: (script, revision) =>
      script.revision >= revision || (position?.revision === revision && !dirty.has(script) && !running),
  };
}

/** Takes some of a set out of it. */
function* takeSome<T>(set: Set<T>, most: number): Generator<T> {
  for (const each of set) {
    if (most-- === 0) return;
    set.delete(each);
    yield each;
  }
}

async function readStates(
  view: ChainView,
  scripts: readonly WatchedScript[],
  reading: FollowerOptions['reading'],
): Promise<(ScriptState | RpcError)[]> {
  return await Promise.all(
    scripts.map(({ name }) =>
      readScriptState(view, hashOfName(name), reading).catch((error: unknown) => {
        if (error instanceof RpcError) return error;
        throw error;
      }),
    ),
  );
}

async function findChanges(
  view: ChainView,
  watches: ScriptWatches,
  before: Position | undefined,
): Promise<Found> {
  const { tip, mempool } = view;
  const revision = mempool.version;
  const dirty = new Set<WatchedScript>();
  const isMoved =
    before !== undefined &&
    (before.tip === undefined || tip === undefined || !equalBytes(before.tip.hash, tip.hash));
  const forkHeight = before ? await findFork(view, before) : -1;
  if (before === undefined) {
    for (const script of watches.all()) if (script.revision < revision) dirty.add(script);
  } else if (isMoved) await addTouchedByBlocks(view, watches, before, forkHeight, dirty);

  const visit = (hash: Uint8Array): void => {
    const script = watches.find(nameOfScript(hash));
    if (script) dirty.add(script);
  };
  const { newestId, arrivals } = await view.visitMempoolTouches(before?.newestId, visit);
  const hasLost = before !== undefined && before.mempoolTxs + arrivals !== mempool.txs;
  if (hasLost && !isMoved) {
    const ids = [...watches.byWaitingTx.keys()];
    const present = new Set(await view.listMempoolIds(ids));
    for (const id of ids) {
      if (present.has(id)) continue;
      for (const script of watches.byWaitingTx.get(id) ?? []) dirty.add(script);
    }
  }
  const recent = !isMoved && before ? before.recent : await readRecent(view, before?.recent, forkHeight);
  const position = { revision, tip, recent, newestId, mempoolTxs: mempool.txs };
  const auxpow = tip && (isMoved || !before) ? await view.readAuxpow(tip) : new Uint8Array(0);
  const hasLeft = before?.tip !== undefined && forkHeight < before.tip.height;
  const isWhole = !hasLeft || (await view.getSynced()) !== undefined;
  return { position, dirty, auxpow, isWhole };
}

/** What blocks that came or went, or mined something, may have changed. */
async function addTouchedByBlocks(
  view: ChainView,
  watches: ScriptWatches,
  before: Position,
  forkHeight: number,
  dirty: Set<WatchedScript>,
): Promise<void> {
  if (before.tip && forkHeight < before.tip.height) {
    for (const script of watches.all()) if (script.topHeight > forkHeight) dirty.add(script);
  }
  // A parent that was mined, or is in the mempool again, changes what its children count as.
  for (const scripts of watches.byWaitingTx.values()) for (const script of scripts) dirty.add(script);
  const first = await view.findBlockAt(forkHeight + 1);
  if (!first || watches.scripts === 0) return;
  const isRead = await view.visitTouchedScripts(first.firstTxId, MOST_ENTRIES, (key) => {
    for (let script = watches.findByKey(key); script; script = script.next) dirty.add(script);
  });
  if (isRead) return;
  for (const script of watches.all()) dirty.add(script);
}

/** Height of the last block that both states have; -1 where it is not known. */
async function findFork(view: ChainView, { tip, recent }: Position): Promise<number> {
  if (!tip || !view.tip) return -1;
  for (let height = Math.min(tip.height, view.tip.height); height >= recent.from; height--) {
    const name = await view.nameBlockAt(height);
    if (name && equalBytes(name.hash, recent.hashes[height - recent.from]!)) return height;
  }
  return -1;
}

async function readRecent(
  view: ChainView,
  known: Position['recent'] | undefined,
  forkHeight: number,
): Promise<Position['recent']> {
  const height = view.tip?.height ?? -1;
  const from = Math.max(0, height - RECENT_BLOCKS + 1);
  const kept =
    known && forkHeight >= from && known.from <= from
      ? known.hashes.slice(from - known.from, forkHeight + 1 - known.from)
      : [];
  const fresh = await view.listBlockHashes(from + kept.length, height + 1 - from - kept.length);
  return { from, hashes: [...kept, ...fresh] };
}
