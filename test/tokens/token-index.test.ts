import { bytesToHex, equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createTokenLedger, type TokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { prepareTokenOperation } from '@coinfront/protocol/tokens/token-rules.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import type { ChainView } from '../../service/src/chain/chain-view.ts';
import type { Reader } from '../../service/src/db/database.ts';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import {
  listOperationsFrom,
  listTokenOperations,
  type OperationRow,
} from '../../service/src/parts/tokens/operation-store.ts';
import { readTokenRow } from '../../service/src/parts/tokens/token-rows.ts';
import { findNumberedToken } from '../../service/src/parts/tokens/token-store.ts';
import { tokenHashes } from '../../service/src/parts/tokens/token-tables.ts';
import { type HeldPage, listTokensAt } from '../../service/src/parts/tokens/tokens-of-script.ts';
import { forEachEngine } from '../harness/engines.ts';
import { expectFresh } from '../harness/fresh-index.ts';
import { nextSnapshot } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  listQuietBlocks,
  type MinedBlock,
  mineSigned,
  rememberCoins,
  switchBranch,
} from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signer, type SignerKind } from '../harness/signing-wallet.ts';
import { catchUp, followLive, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import {
  connectToLedger,
  listTokenIds,
  playLedger,
  profile,
  signRandomOperation,
  tokenContext,
} from './token-traffic.ts';

/** Both branches go over the height at which the state is hashed. */
const STATE_HASHED = 1_000;
const BEFORE_STATE_HASH = 55;
const BLOCKS = 70;
const FORK_DEPTH = 25;

let node: TestNode;
let signers: Signer[] = [];
let quiet: MinedBlock[] = [];
let first: MinedBlock[] = [];
let second: MinedBlock[] = [];
let third: MinedBlock[] = [];

async function mineOperations(random: Random, ledger: TokenLedger, count: number): Promise<MinedBlock[]> {
  const mined: MinedBlock[] = [];
  for (let i = 0; i < count; i++) {
    const transactions = Array.from({ length: random.integer(0, 9) }, () =>
      signRandomOperation(random, signers, ledger),
    );
    const block = await mineSigned(node, transactions);
    connectToLedger(ledger, block);
    mined.push(block);
  }
  return mined;
}

beforeAll(async () => {
  node = await startNode();
  const kinds: SignerKind[] = ['p2wpkh', 'p2pkh', 'p2sh-p2wpkh', 'p2wpkh'];
  signers = kinds.map((kind, i) => createSigner(`holder ${i}`, profile, kind));
  await node.mine(STATE_HASHED - BEFORE_STATE_HASH - 2);
  await fundSigners(node, signers, 1_200);
  quiet = await listQuietBlocks(node);
  const random = createRandom(11);
  const { ledger } = playLedger(quiet);
  first = await mineOperations(random, ledger, BLOCKS - FORK_DEPTH);
  const goBack = rememberCoins(signers);
  second = await mineOperations(random, ledger, FORK_DEPTH);
  await node.rpc('invalidateblock', toDisplayHash(second[0]!.hash));
  goBack();
  third = await mineOperations(random, playLedger([...quiet, ...first]).ledger, FORK_DEPTH + 1);
});
afterAll(() => node.stop());

/** Makes one of the two branches the node's chain. */
const switchTo = (branch: readonly MinedBlock[]) =>
  switchBranch(node, { from: branch === second ? third : second, to: branch });

type Row = Record<string, SqlValue>;
const bigints = true;
const LIST_TOKENS = sql<Row>('select * from token order by token_id', { bigints });
const LIST_BALANCES = sql<Row>(
  `select t.token_id, b.script_id, h.script_hash, b.amount
   from token_balance b join token t on t.number = b.token_number
   join token_script h on h.script_id = b.script_id order by t.token_id, h.script_hash`,
  { bigints },
);
const LIST_SENDERS = sql<{ tx_id: number; sender_id: number | null }>(
  'select tx_id, sender_id from token_refusal',
);
const LIST_ACTIVITY = sql<{ script_id: number; tx_id: number; token_id: Uint8Array }>(
  `select a.script_id, a.tx_id, t.token_id from token_activity a left join token_swept s on s.tx_id = a.tx_id
   join token t on t.number = coalesce(s.token_number, a.token_number) order by a.tx_id`,
);
const LIST_SWEPT = sql<{ tx_id: number; token_id: Uint8Array; amount: bigint }>(
  `select s.tx_id, t.token_id, s.amount from token_swept s join token t on t.number = s.token_number
   order by s.tx_id, s.token_number`,
  { bigints },
);
const LIST_NUMBERS = sql<Row>('select number, token_id from token_by_number order by number', { bigints });
const LIST_NUMBERED = sql<Row>('select number, token_id from token order by number', { bigints });
const LIST_SCRIPTS = sql<{ script_id: number; script_hash: Uint8Array }>(
  'select script_id, script_hash from token_script order by script_id',
);
const LIST_SUPPLY = sql<Row>(
  `select t.token_id, s.number, s.height, s.minted, s.burned, s.holders, s.is_minting_open
   from token_supply s join token t on t.number = s.token_number order by t.token_id, s.number`,
  { bigints },
);
const LIST_MOVED = sql<Row>(
  `select t.token_id, h.script_hash, l.height, l.amount
   from token_balance_log l join token t on t.number = l.token_number
   join token_script h on h.script_id = l.script_id order by t.token_id, h.script_hash, l.height`,
  { bigints },
);
const GET_COUNTS = sql<Row>('select * from token_count');

/** The rows are what the rules say, and keep every invariant. */
async function expectState({ reader, getScripts }: ChainView, ledger: TokenLedger): Promise<void> {
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  const tokens = (await reader.all(LIST_TOKENS)).map(readTokenRow);
  const records = tokens.map(
    ({ number, createdPosition, events, transfers, supplyChanges, ...record }) => record,
  );
  const wanted = ledger.listTokens().map((token) => ({ key: bytesToHex(token.tokenId), token }));
  expect(records).toEqual(wanted.sort(byKey).map(({ token }) => token));
  const rows = await reader.all(LIST_BALANCES);
  const scripts = await getScripts(rows.map(({ script_id }) => Number(script_id)));
  const balances = rows.map(({ token_id, script_hash, amount }, i) => {
    expect(bytesToHex(script_hash as Uint8Array)).toBe(bytesToHex(sha256(scripts[i]!)));
    const key = bytesToHex(token_id as Uint8Array) + bytesToHex(script_hash as Uint8Array);
    return { key, amount: amount as bigint };
  });
  const held = ledger.listBalances().map(({ tokenId, script, amount }) => ({
    key: bytesToHex(tokenId) + bytesToHex(sha256(script)),
    amount,
  }));
  expect(balances).toEqual(held.sort(byKey));
  for (const { tokenId, minted, burned, holders } of tokens) {
    const own = balances.filter(({ key }) => key.startsWith(bytesToHex(tokenId)));
    expect(own.reduce((sum, { amount }) => sum + amount, 0n) + burned).toBe(minted);
    expect(own.every(({ amount }) => amount > 0n)).toBe(true);
    expect(holders).toBe(own.length);
  }
}

/** Every script is known by its hash and by the number of the first output by which an operation named it. */
async function expectScripts(view: ChainView, log: ReturnType<typeof playLedger>['log']): Promise<void> {
  const wanted = new Map<string, number>();
  const operations = (await listAllOperations(view.reader)).filter(
    ({ tx_id }, i, all) => tx_id !== all[i - 1]?.tx_id,
  );
  const name = (script: Uint8Array, outputId: number) => {
    const hash = bytesToHex(sha256(script));
    if (!wanted.has(hash)) wanted.set(hash, outputId);
  };
  for (const [i, entry] of log.entries()) {
    const { tx_id } = operations[i]!;
    const stored = await view.getTxById(tx_id);
    const tx = getValue(parseTransaction(stored.raw));
    const [spent] = await view.listPrevouts(stored);
    const source = await view.findTx(spent!.txid);
    name(spent!.script, source!.id + spent!.vout);
    const placed = { tx, txid: stored.txid, ...entry, prevoutScript: spent!.script };
    const read = prepareTokenOperation(placed, tokenContext);
    if (read.kind !== 'operation' && read.kind !== 'sweep') continue;
    const recipients = read.kind === 'sweep' ? [{ script: read.prepared.recipient }] : read.prepared.receipts;
    for (const { script } of recipients)
      name(script, tx_id + tx.outputs.findIndex((output) => equalBytes(output.script, script)));
  }
  const rows = await view.reader.all(LIST_SCRIPTS);
  expect(rows.map((row) => [bytesToHex(row.script_hash), row.script_id])).toEqual(
    [...wanted].sort((a, b) => a[1] - b[1]),
  );
  const scripts = await view.getScripts(rows.map(({ script_id }) => script_id));
  expect(scripts.map((script) => bytesToHex(sha256(script)))).toEqual(
    rows.map(({ script_hash }) => bytesToHex(script_hash)),
  );
}

/** Behind every block that changed them: supplies and balances. */
async function expectHistory(view: ChainView, blocks: readonly MinedBlock[]): Promise<void> {
  const ledger = createTokenLedger(tokenContext);
  const supplies = new Map<string, string[]>();
  const moved = new Map<string, Map<number, bigint>>();
  for (const block of blocks) {
    connectToLedger(ledger, block);
    for (const token of ledger.listTokens()) {
      const { minted, burned, holders, mintingOpen } = token;
      const said = [minted, burned, holders, mintingOpen].join();
      const all = supplies.get(bytesToHex(token.tokenId)) ?? [];
      if (all.at(-1)?.split(' ')[1] !== said) all.push(`${block.height} ${said}`);
      supplies.set(bytesToHex(token.tokenId), all);
    }
    for (const { tokenId, script, amount } of ledger.listBalances()) {
      const key = bytesToHex(tokenId) + bytesToHex(sha256(script));
      const all = moved.get(key) ?? new Map<number, bigint>();
      moved.set(key, all.set(block.height, amount));
    }
  }
  const found = new Map<string, string[]>();
  for (const row of await view.reader.all(LIST_SUPPLY)) {
    const id = bytesToHex(row.token_id as Uint8Array);
    const all = found.get(id) ?? [];
    expect(Number(row.number)).toBe(all.length);
    const said = [row.minted, row.burned, row.holders, Number(row.is_minting_open) === 1].join();
    all.push(`${row.height} ${said}`);
    found.set(id, all);
  }
  expect([...found].sort()).toEqual([...supplies].sort());
  const rows = await view.reader.all(LIST_MOVED);
  expect(rows.length).toBeGreaterThan(moved.size);
  for (const [key, amounts] of moved) {
    const own = rows.filter(
      ({ token_id, script_hash }) =>
        bytesToHex(token_id as Uint8Array) + bytesToHex(script_hash as Uint8Array) === key,
    );
    for (const { height } of blocks) {
      const last = own.findLast((row) => Number(row.height) <= height);
      expect(last?.amount ?? 0n).toBe(amounts.get(height) ?? 0n);
    }
  }
  await expectShortPages(view, blocks.at(-FORK_DEPTH)!.height);
}

/** However few tokens are looked at for a page, the pages have all. */
async function expectShortPages(view: ChainView, height: number): Promise<void> {
  for (const { script } of signers) {
    const whole = await listTokensAt(view, script, height, -1, 100);
    expect([whole.items.length > 1, whole.last]).toEqual([true, undefined]);
    const paged = [];
    let pages = 0;
    for (let after: number | undefined = -1; after !== undefined; pages++) {
      const page: HeldPage = await listTokensAt(view, script, height, after, 100, 2);
      paged.push(...page.items);
      after = page.last?.number;
    }
    expect(paged).toEqual(whole.items);
    expect(pages).toBeGreaterThan(1);
  }
}

/** All operations, valid or not, in the order of the chain. */
function listAllOperations(reader: Reader): Promise<OperationRow[]> {
  return listOperationsFrom(reader, {
    withInvalid: true,
    from: { txId: 0 },
    beforeTxId: Number.MAX_SAFE_INTEGER,
    limit: 10_000,
  });
}

/** Read in pages of any size, from any of them on, the lists are the same. */
async function expectListsOfTokens(reader: Reader, operations: readonly OperationRow[]): Promise<void> {
  const valid = operations.filter(({ reason }) => reason === null);
  const last = valid.at(-1)!.tx_id;
  for (const limit of [1, 3, 40]) {
    for (const [i, { tx_id }] of valid.entries()) {
      const next = await listOperationsFrom(reader, {
        withInvalid: false,
        from: { txId: tx_id },
        beforeTxId: last,
        limit,
      });
      const from = valid.findIndex((each) => each.tx_id === tx_id);
      expect(next).toEqual(
        valid
          .slice(from)
          .filter((each) => each.tx_id < last)
          .slice(0, limit),
      );
      if (i % 7 !== 0) continue;
      const number = valid[i]!.token_number!;
      const page = { withInvalid: false, before: { txId: tx_id + 1, tokenNumber: 0 }, limit };
      expect(await listTokenOperations(reader, { number, tokenId: new Uint8Array(32) }, page)).toEqual(
        valid
          .filter((each) => each.token_number === number && each.tx_id <= tx_id)
          .reverse()
          .slice(0, limit),
      );
    }
  }
}

/** All of it: state, every operation with its reason, who took part, totals, hashes. */
async function expectLedger({ readChain }: TestIndexer, blocks: readonly MinedBlock[]): Promise<Set<string>> {
  const { ledger, states, log } = playLedger(blocks);
  const height = blocks.at(-1)!.height;
  await readChain(async (view) => {
    const { reader } = view;
    await expectState(view, ledger);
    const hashes = await tokenHashes.findLatest(reader);
    expect(hashes?.height).toBe(height);
    expect(bytesToHex(hashes!.chain)).toBe(bytesToHex(ledger.chainHash()));
    const state = await tokenHashes.findLatestState(reader);
    expect(state?.height).toBe(Math.floor(height / 1_000) * 1_000);
    expect(state!.state).toEqual(states.get(state!.height));

    const operations = await listAllOperations(reader);
    const placed = [];
    for (const { tx_id, reason } of operations) {
      const { status } = await view.getTxById(tx_id);
      placed.push([status.confirmed && status.height, status.confirmed && status.position, reason]);
    }
    for (const { tx_id, sender_id } of await reader.all(LIST_SENDERS)) {
      if (sender_id === null) continue;
      const [spent] = await view.listPrevouts(await view.getTxById(tx_id));
      expect(await view.getScripts([sender_id])).toEqual([spent!.script]);
    }
    await expectListsOfTokens(reader, operations);
    const told = log.flatMap((entry): { entry: (typeof log)[number]; tokenId: Uint8Array | undefined }[] =>
      'event' in entry
        ? listTokenIds(entry.event).map((tokenId) => ({ entry, tokenId }))
        : [{ entry, tokenId: undefined }],
    );
    expect(placed).toEqual(
      told.map(({ entry }) => [entry.height, entry.position, 'reason' in entry ? entry.reason : null]),
    );
    const swept = (await reader.all(LIST_SWEPT)).map(({ token_id, amount }) => [
      bytesToHex(token_id),
      BigInt(amount),
    ]);
    expect(swept).toEqual(
      log.flatMap((entry) =>
        'event' in entry && entry.event.kind === 'sweep'
          ? entry.event.moved.map(({ tokenId, amount }) => [bytesToHex(tokenId), amount])
          : [],
      ),
    );
    expect(swept.length).toBeGreaterThan(5);
    expect(await reader.all(LIST_NUMBERS)).toEqual(await reader.all(LIST_NUMBERED));
    await expectScripts(view, log);
    await expectHistory(view, blocks);
    const activity = await reader.all(LIST_ACTIVITY);
    for (const [i, { entry, tokenId }] of told.entries()) {
      const taking = activity.filter(
        ({ tx_id, token_id }) =>
          tx_id === operations[i]!.tx_id && (tokenId === undefined || equalBytes(token_id, tokenId)),
      );
      const scriptsOf = await view.getScripts(taking.map(({ script_id }) => script_id));
      const found = scriptsOf.map((script) => bytesToHex(sha256(script))).sort();
      expect(new Set(found).size).toBe(found.length);
      if (!('event' in entry)) continue;
      const { event } = entry;
      const token = await findNumberedToken(reader, operations[i]!.token_number!);
      expect(bytesToHex(token!.tokenId)).toBe(bytesToHex(tokenId!));
      const taken = [
        event.sender,
        ...(event.kind === 'mint' || event.kind === 'sweep' ? [event.recipient] : []),
        ...(event.kind === 'transfer' ? event.shares.map(({ script }) => script) : []),
      ];
      expect(found).toEqual([...new Set(taken.map((script) => bytesToHex(sha256(script))))].sort());
    }
    const countKind = (kind: string) =>
      log.filter((entry) => 'event' in entry && entry.event.kind === kind).length;
    expect(await reader.get(GET_COUNTS)).toEqual({
      id: 0,
      tokens: ledger.listTokens().length,
      holders: ledger.listBalances().length,
      creates: countKind('create'),
      mints: countKind('mint'),
      transfers: countKind('transfer'),
      burns: countKind('burn'),
      sweeps: countKind('sweep'),
      invalid: log.filter((entry) => 'reason' in entry).length,
    });
  });
  return new Set(log.map((entry) => ('reason' in entry ? entry.reason : entry.event.kind)));
}

forEachEngine('the index of tokens', (engine) => {
  let indexer: TestIndexer;

  beforeAll(async () => {
    indexer = await openTestIndexer(await engine.openUrl());
  });
  afterAll(() => indexer.close());

  test('is what the rules alone say of the same blocks, and keeps every invariant after each', async () => {
    await switchTo(second);
    const { ledger } = playLedger(quiet);
    const ahead = [...first, ...second];
    let checked = 0;
    const check = async () => {
      const height = indexer.index.state.height;
      if (height < quiet.length) return;
      await nextSnapshot();
      connectToLedger(ledger, ahead[height - quiet.length]!);
      await indexer.readChain((view) => expectState(view, ledger));
      checked++;
    };
    // One block a commit, each looked at before the next.
    const follower = followLive(node.client, indexer, { batchTxs: 1, beforeCommit: check });
    await follower.waitForTip(toDisplayHash(ahead.at(-1)!.hash));
    await follower.stop();
    expect(checked).toBe(ahead.length - 1);
    const seen = await expectLedger(indexer, [...quiet, ...ahead]);
    // A history is worth something only when it reaches the rules.
    for (const each of [
      'create',
      'mint',
      'transfer',
      'burn',
      'fee_too_low',
      'premine_above_cap',
      'premine_zero',
      'token_unknown',
      'not_issuer',
      'minting_closed',
      'cap_exceeded',
      'amount_zero',
      'output_repeated',
      'output_is_carrier',
      'balance_too_low',
      'sender_sighash',
      'several_payloads',
    ]) {
      expect(seen).toContain(each);
    }
  });

  test('after a reorganisation is what a fresh index is, hashes included, and so back again', async () => {
    for (const branch of [third, second]) {
      await switchTo(branch);
      await catchUp(node.client, indexer, { batchTxs: 7 });
      await expectLedger(indexer, [...quiet, ...first, ...branch]);
      await expectFresh(node, indexer, engine, { undoFrom: branch[0]!.height });
    }
  });
});
