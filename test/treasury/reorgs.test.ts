import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, spend } from '../harness/raw-coins.ts';
import {
  type Contributor,
  contribute,
  openTreasuryDesk,
  spendTreasury,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

let node: TestNode;
let nextCoin: () => RawCoin;
const COIN = 20_000_000n;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 80, value: COIN, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('the ledger', (engine) => {
  let desk: TreasuryDesk;
  let alice: Contributor;

  beforeAll(async () => {
    desk = await openTreasuryDesk(node, await engine.openUrl());
    alice = await desk.register('Alice');
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  const total = async () =>
    (await desk.post('/me', { contributor_secret: alice.secret }, 200)).verified_total;

  test('takes back what a reorganisation took, and adds it again when it is mined again', async () => {
    const intent = await desk.intent(alice);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    const hash = await desk.mine(tx);
    await desk.deepen(treasury.confirmations - 1);
    expect((await desk.verify(tx.txid, intent.id)).status).toBe(200);
    const before = await total();

    await node.rpc('invalidateblock', hash);
    await desk.deepen(1);
    expect(await desk.entriesOf(tx.txid)).toMatchObject([
      { kind: 'contribution', state: 'reversed', confirmations: 0 },
      { kind: 'reversal', amount: `-${intent.exact_amount}`, contributor: { id: alice.id } },
    ]);
    expect(await total()).toBe('0.00000000');
    // It is in the mempool again, and waits.
    expect((await desk.verify(tx.txid, intent.id)).status).toBe(202);
    await desk.checkBooks();

    // In another block, a block higher.
    await desk.mine(tx);
    await desk.deepen(treasury.confirmations - 1);
    expect((await desk.verify(tx.txid, intent.id)).status).toBe(200);
    expect((await desk.entriesOf(tx.txid)).map(({ kind }) => kind)).toEqual([
      'contribution',
      'reversal',
      'contribution',
    ]);
    expect(await total()).toBe(before);
    await desk.checkBooks();
  });

  test('takes what a double spend took, and leaves what is in the new chain', async () => {
    const intent = await desk.intent(alice);
    const amount = units(intent.exact_amount);
    const coin = nextCoin();
    const [lost, second] = [contribute(coin, [amount]), contribute(nextCoin(), [amount])];
    const fork = await desk.mine(lost);
    await desk.mine(second);
    const before = await desk.checkBooks();
    await node.rpc('invalidateblock', fork);
    await mineExactly(node, [spend([coin], [{ value: COIN - 9_000n, owner: 5 }]), second]);
    await desk.settle();
    expect((await desk.entriesOf(lost.txid)).map(({ kind }) => kind)).toEqual(['contribution', 'reversal']);
    expect((await desk.entriesOf(second.txid)).at(-1)).toMatchObject({
      kind: 'contribution',
      state: 'confirming',
    });
    expect((await desk.verify(second.txid, intent.id)).status).toBe(202);
    expect((await desk.verify(lost.txid, intent.id)).json.code).toBe('contribution_replaced');
    const after = await desk.checkBooks();
    expect(units(before.ledger_total) - units(after.ledger_total)).toBe(amount);
  });

  test('knows what is new in a block that stands where another stood when the intent was made', async () => {
    const replaced = await desk.mine();
    const intent = await desk.intent(alice);
    await node.rpc('invalidateblock', replaced);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    await desk.mine(tx);
    expect((await desk.entriesOf(tx.txid))[0]).toMatchObject({ kind: 'contribution' });
  });

  test('does not count what was there before the intent, in whatever block it is mined again', async () => {
    const value = 2_345_678n;
    const early = contribute(nextCoin(), [value]);
    const fork = await desk.mine(early);
    const intent = await desk.intent(alice);
    await desk.change(intent.id, { exact_amount: String(value) });
    await node.rpc('invalidateblock', fork);
    await desk.deepen(1);
    await desk.mine(early);
    expect((await desk.entriesOf(early.txid)).at(-1)).toMatchObject({
      kind: 'unattributed',
      reason: 'seen_before_intent',
    });
    expect((await desk.verify(early.txid, intent.id)).json.code).toBe('contribution_too_early');
    await desk.change(intent.id, { exact_amount: units(intent.exact_amount).toString() });
    await desk.checkBooks();
  });

  test('takes back spends, change and coinbases too', async () => {
    const [hash] = await node.mine(1, treasury.address);
    const tx = contribute(nextCoin(), [5_000_000n, 3_000_000n]);
    await desk.mine(tx);
    const payout = spendTreasury(
      [
        { txid: tx.txid, vout: 0, value: 5_000_000n },
        { txid: tx.txid, vout: 1, value: 3_000_000n },
      ],
      [{ value: 1_000_000n }, { value: 6_990_000n, script: treasury.script }],
    );
    // Spent again in the same block.
    const further = spendTreasury(
      [{ txid: payout.txid, vout: 1, value: 6_990_000n }],
      [{ value: 6_980_000n }],
    );
    await desk.mine(payout, further);
    const before = await desk.checkBooks();
    expect(units(before.immature_coinbase)).toBeGreaterThan(0n);
    await node.rpc('invalidateblock', hash);
    await desk.deepen(2);
    const after = await desk.checkBooks();
    expect(units(after.coinbase_in)).toBeLessThan(units(before.coinbase_in));
    expect((await desk.entriesOf(further.txid)).map(({ kind }) => kind)).toEqual([
      'spend',
      'fee',
      'reversal',
      'reversal',
    ]);
    await desk.mine(tx, payout);
    await desk.checkBooks();
  });

  test('goes on where it was after a kill, however the chain went on meanwhile, and doubles nothing', async () => {
    const intent = await desk.intent(alice);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    const hash = await desk.mine(tx);
    const { length } = await desk.ledger();
    // In the middle of blocks that bring something.
    const further = Array.from({ length: 6 }, () => contribute(nextCoin(), [500_000n]));
    for (const each of further) await mineExactly(node, [each]);
    await desk.service.kill();
    await node.rpc('invalidateblock', hash);
    await mineExactly(node, [contribute(nextCoin(), [400_000n])]);
    await mineExactly(node, [tx, ...further.slice(3)]);
    await desk.service.start();
    await desk.settle();
    const ofTx = await desk.entriesOf(tx.txid);
    expect(ofTx.map(({ kind }) => kind)).toEqual(['contribution', 'reversal', 'contribution']);
    const standing = (await desk.ledger()).slice(length).filter(({ state }) => state !== 'reversed');
    expect(standing.map(({ txid }) => txid).sort()).toEqual(
      [standing[0].txid, tx.txid, ...further.slice(3).map(({ txid }) => txid)].sort(),
    );
    await desk.checkBooks();
  });

  test('cannot be changed by anybody, not even by its own database', async () => {
    const db = desk.precious.query<TreasuryTables>();
    await expect(db.updateTable('treasury_entry').set({ amount: '1' }).execute()).rejects.toThrow(
      /append-only/,
    );
    await expect(db.deleteFrom('treasury_entry').execute()).rejects.toThrow(/append-only/);
    await desk.checkBooks();
  });
});
