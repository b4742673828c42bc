import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { scriptHash } from '@coinfront/protocol/canonical.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { createStateHasher } from '@coinfront/protocol/hash-chain.ts';
import { createNameLedger } from '@coinfront/protocol/testing/name-ledger.ts';
import { createProofLedger } from '@coinfront/protocol/testing/proof-ledger.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import type { ChainView } from '../../service/src/chain/chain-view.ts';
import { sql } from '../../service/src/db/statement.ts';
import type { IndexerPart, PartRow, PartWriter } from '../../service/src/indexer/parts/part.ts';
import { readUndone } from '../../service/src/indexer/parts/read-undone.ts';
import { verifyParts } from '../../service/src/indexer/parts/verify-parts.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { createNameState } from '../../service/src/parts/names/name-state.ts';
import { nameHashes } from '../../service/src/parts/names/name-tables.ts';
import { proofHashes } from '../../service/src/parts/proofs/proof-anchors.ts';
import { proofState } from '../../service/src/parts/proofs/proof-state.ts';
import { createTokenState } from '../../service/src/parts/tokens/read-token-state.ts';
import { tokenHashes } from '../../service/src/parts/tokens/token-tables.ts';
import { createStateReads } from '../../service/src/replicas/read-state.ts';
import type { StatePlace, StateSource } from '../../service/src/replicas/state-source.ts';
import { forEachEngine, type TestEngine } from '../harness/engines.ts';
import { compareDumps, dumpIndex, nextSnapshot } from '../harness/index-dump.ts';
import { openTestIndexer, TEST_LIMITS, type TestIndexer } from '../harness/test-indexer.ts';
import { shortLivedContext, shortLivedProfile } from '../names/name-profile.ts';
import { buildOperationBlock, chainOf, type OperationBlock } from './operation-chain.ts';

const HORIZON = 30;
/** States are hashed at this height; operations begin a little below, so that every run goes over it, most several times. */
const STATE_HASHED = 1_000;
const QUIET = STATE_HASHED - 15;
const STEPS = 8;

const tokenContext = {
  rules: shortLivedProfile.tokens!,
  genesisPrefix: genesisPrefix(shortLivedProfile),
};
/** The bytes of all blocks that were given to an index. */
const blockBytes = new Set<ArrayBufferLike>();
const parts = listIndexerParts(shortLivedProfile).map(refuseViews);

/**
 * The part, whose rows of states must not be views of a block's bytes: they are remembered over many batches, and each would
 * keep all of its block.
 */
function refuseViews(part: IndexerPart): IndexerPart {
  const check = (row: PartRow | undefined): void => {
    for (const [name, value] of Object.entries(row ?? {})) {
      if (value instanceof Uint8Array && blockBytes.has(value.buffer))
        throw new Error(`${part.name}: ${name} is a view of a block`);
    }
  };
  return {
    ...part,
    connectBlock: (block, writer) =>
      part.connectBlock(block, {
        ...writer,
        set(cell, row) {
          check(row);
          writer.set(cell, row);
        },
        async put(table, row) {
          check(row);
          await writer.put(table, row);
        },
      } satisfies PartWriter),
  };
}

let quiet: OperationBlock | undefined;

/** The blocks that all runs begin with. */
function getQuiet(): OperationBlock {
  while (quiet === undefined || quiet.fetched.height < QUIET) {
    quiet = buildOperationBlock(quiet, createRandom(1), 0, 0, shortLivedProfile);
  }
  return quiet;
}

/** Applies what leads from one tip to another as the follower does: in batches, the first of which also disconnects. */
async function move(
  { index, prepare }: TestIndexer,
  from: OperationBlock | undefined,
  to: OperationBlock,
  size: number,
): Promise<void> {
  const lost = chainOf(from);
  const chain = chainOf(to);
  let shared = 0;
  while (shared < lost.length && lost[shared] === chain[shared]) shared++;
  const gained = chain.slice(shared).map(({ fetched }) => fetched);
  for (const { scan } of gained) blockBytes.add(scan.raw.buffer);
  for (let start = 0; start === 0 || start < gained.length; start += size) {
    await index.apply({
      disconnectFrom: start === 0 && shared < lost.length ? shared : undefined,
      batch: await prepare(gained.slice(start, start + size)),
      nodeHeight: to.fetched.height,
      goesOn: start + size < gained.length,
    });
  }
}

/** What the rules alone say of a chain, and which kinds and reasons come up in it. */
function playLedgers(tip: OperationBlock) {
  const tokens = createTokenLedger(tokenContext);
  const names = createNameLedger(shortLivedContext);
  const proofs = createProofLedger(shortLivedProfile.proofs.marker);
  const registrants = new Map<string, boolean>();
  const seen = new Set<string>();
  const stateHashes = () => [tokens, names, proofs].map((ledger) => bytesToHex(ledger.stateHash()));
  /** By height, of the blocks that may still be undone. */
  const states = new Map<number, string[]>();
  for (const { fetched, placed } of chainOf(tip)) {
    const { height, hash } = fetched;
    proofs.connectBlock(hash, placed);
    const owners = new Map(names.listNames().map(({ name, owner }) => [name, owner]));
    for (const entry of tokens.connectBlock(hash, placed))
      seen.add('event' in entry ? `token ${entry.event.kind}` : entry.reason);
    for (const entry of names.connectBlock(height, hash, placed)) {
      seen.add('event' in entry ? `name ${entry.event.kind}` : entry.reason);
      if (!('event' in entry) || entry.event.kind === 'commit') continue;
      const { event } = entry;
      if (event.kind === 'register') registrants.set(event.name, true);
      if (event.kind === 'register') owners.set(event.name, event.sender);
      if (event.kind !== 'transfer') continue;
      if (!equalBytes(owners.get(event.name)!, event.owner)) registrants.set(event.name, false);
      owners.set(event.name, event.owner);
    }
    if (height === STATE_HASHED || height >= tip.fetched.height - HORIZON) states.set(height, stateHashes());
  }
  const chains = [tokens, names, proofs].map((ledger) => bytesToHex(ledger.chainHash()));
  return { chains, states, registrants, seen };
}

const LIST_REGISTRANTS = sql<{ name: Uint8Array; is_registrant: number }>(
  'select name, is_registrant from name_record order by name',
);

/** All states; that of tokens a second time, as it is read of tokens with very many holders. */
const sources = [
  createTokenState(),
  createNameState(shortLivedContext.rules),
  proofState,
  createTokenState(0),
];

/** state(h) of a block, from steps of few rows. */
async function hashInSteps(view: ChainView, source: StateSource, height: number): Promise<string> {
  const hasher = createStateHasher();
  const read = createStateReads(source);
  const block = (await view.findBlockAt(height))!;
  for (let place: StatePlace | undefined, limit = 1; ; limit = (limit % 4) + 1) {
    const step = await read(view, block, place, limit);
    if (typeof step === 'string') throw new Error(`the state behind block ${height} is ${step}`);
    const { rows, next } = step;
    expect(rows.length).toBeLessThanOrEqual(limit);
    for (const { row, script } of rows) {
      hasher.add(row);
      if (script === undefined) continue;
      const bytes = typeof script === 'number' ? (await view.getScripts([script]))[0]! : script;
      expect(bytesToHex(row.key) + bytesToHex(row.value)).toContain(bytesToHex(scriptHash(bytes)));
    }
    if (next === undefined) return bytesToHex(hasher.finish());
    place = next;
  }
}

/** The index has the hashes that the rules alone give, whose owner registered its name, and every row that its blocks say. */
async function expectTruth({ readChain, index }: TestIndexer, tip: OperationBlock): Promise<Set<string>> {
  const { chains, states, registrants, seen } = playLedgers(tip);
  await nextSnapshot();
  await readChain(async (view) => {
    const { reader } = view;
    const logs = [tokenHashes, nameHashes, proofHashes];
    const latest = await Promise.all(logs.map((log) => log.findLatest(reader)));
    expect(latest.map((hashes) => [hashes!.height, bytesToHex(hashes!.chain)])).toEqual(
      chains.map((chain) => [tip.fetched.height, chain]),
    );
    const hashed = await Promise.all(logs.map((log) => log.findLatestState(reader)));
    expect(hashed.map((hashes) => [hashes!.height, bytesToHex(hashes!.state!)])).toEqual(
      states.get(STATE_HASHED)!.map((state) => [STATE_HASHED, state]),
    );
    for (let height = index.lowestFork; height <= tip.fetched.height; height++) {
      const state = states.get(height)!;
      const read = await Promise.all(sources.map((source) => hashInSteps(view, source, height)));
      expect([height, ...read]).toEqual([height, ...state, state[0]]);
    }
    const below = (await view.findBlockAt(index.lowestFork - 1))!;
    expect(await createStateReads(sources[0]!)(view, below, undefined, 1)).toBe('too_old');
    for (const most of [
      { bytes: 2 ** 20, rows: 2 },
      { bytes: 20, rows: 10_000 },
    ]) {
      expect(await readUndone(reader, sources[0]!.tables, index.lowestFork, most)).toBe('too_much');
    }
    const rows = await reader.all(LIST_REGISTRANTS);
    expect(new Map(rows.map((row) => [Buffer.from(row.name).toString(), row.is_registrant === 1]))).toEqual(
      registrants,
    );
    const verified = await verifyParts(reader, parts);
    expect([verified.height, verified.differences]).toEqual([tip.fetched.height, []]);
  });
  return seen;
}

/** A height to go back to: now and then the one whose state is hashed, or one beside it. */
function pickFork(random: Random, lowest: number, height: number): number {
  const near = [STATE_HASHED - 2, STATE_HASHED - 1, STATE_HASHED].filter(
    (each) => each >= lowest && each < height,
  );
  return near.length > 0 && random.integer(0, 2) === 0 ? random.pick(near) : random.integer(lowest, height);
}

async function play(engine: TestEngine, runs: number): Promise<Set<string>> {
  const [location, other] = [await engine.openUrl(), await engine.openUrl()];
  const open: TestIndexer[] = [];
  const closeAll = async () => {
    for (const each of open.splice(0)) await each.close();
  };
  onTestFinished(closeAll);
  const seen = new Set<string>();
  for (let run = 0; run < runs; run++) {
    const random = createRandom(100 + run);
    const limits = { ...TEST_LIMITS, recentTxs: 256, recentOutputs: 1_024, freshBytes: 10_000 };
    const options = { parts, horizonBlocks: HORIZON, identity: `run ${run}`, limits };
    const reopen = async (): Promise<TestIndexer> => {
      await closeAll();
      open[0] = await openTestIndexer(location, options);
      return open[0];
    };
    let salt = 0;
    const extend = (from: OperationBlock, blocks: number): OperationBlock => {
      let tip = from;
      for (let i = 0; i < blocks; i++)
        tip = buildOperationBlock(tip, random, random.pick([0, 3, 10, 20]), ++salt, shortLivedProfile);
      return tip;
    };

    let indexer = await reopen();
    let tip = getQuiet();
    let before = tip;
    await move(indexer, undefined, tip, 300);
    for (let step = 0; step < STEPS; step++) {
      if (random.integer(0, 5) === 0) indexer = await reopen();
      const lowest = Math.max(indexer.index.lowestFork, QUIET);
      const canReturn = before !== tip && chainOf(before)[lowest] === chainOf(tip)[lowest];
      const fork = chainOf(tip)[pickFork(random, lowest, tip.fetched.height)]!;
      const next = canReturn && random.integer(0, 3) === 0 ? before : extend(fork, random.integer(1, 18));
      await move(indexer, tip, next, random.integer(1, 9));
      [before, tip] = [tip, next];
    }
    if (tip.fetched.height < STATE_HASHED) {
      const next = extend(tip, STATE_HASHED - tip.fetched.height + 3);
      await move(indexer, tip, next, 5);
      tip = next;
    }
    for (const each of await expectTruth(indexer, tip)) seen.add(each);

    const fresh = await openTestIndexer(other, options);
    open.push(fresh);
    await move(fresh, undefined, tip, tip.fetched.height + 1);
    for (const { index } of [fresh, indexer]) await index.tidy(() => false);
    const dumping = { undoFrom: indexer.index.lowestFork + 1 };
    const wanted = await dumpIndex(fresh.database, dumping);
    expect(compareDumps(await dumpIndex(indexer.database, dumping), wanted)).toEqual([]);
  }
  return seen;
}

forEachEngine('names, tokens and proofs over any reorganisations', (engine) => {
  const runs = engine.kind === 'sqlite' ? 6 : 2;

  test('are what the rules alone say, and what a fresh index has', async () => {
    const seen = await play(engine, runs);
    for (const kind of ['create', 'mint', 'transfer', 'burn']) expect(seen).toContain(`token ${kind}`);
    for (const kind of ['commit', 'register', 'transfer', 'renew']) expect(seen).toContain(`name ${kind}`);
    for (const reason of ['balance_too_low', 'not_owner', 'sender_sighash']) expect(seen).toContain(reason);
  }, 240_000);
});
