import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { hashScript } from '../../service/src/parts/payments/chain/find-arrivals.ts';
import { createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import { newPaymentRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type { PaymentTable, PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  makeMatureCoins,
  mineExactly,
  type RawCoin,
  type RawTx,
  scriptOf,
  spend,
} from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs, writeTrustingCoin } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from '../payments/open-suite.ts';
import { FEE, mineEmpty, REPLACEABLE } from '../payments/pay-owner.ts';
import type { PaymentDesk } from '../payments/payment-desk.ts';

const SEED = 20_261_123;
const PAYMENTS = 10_000;
const STEPS = 150;
const AUDIT_EVERY = 30;
const KILL_EVERY = 40;
const AMOUNT = 300_000n;
const DUST = 6_000n;
/** Payees of one transaction. */
const WIDTH = 100;
const DAY = 24 * 3_600_000;
/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 500;

let node: TestNode;
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  coins = [];
  for (let i = 0; i < 2; i++)
    coins.push(...(await makeMatureCoins(node, { count: 110, value: 42_000_000n, owner: 1 })));
});
afterAll(() => node.stop());

forEachEngine(`${PAYMENTS} payments after any sequence of events (seed ${SEED})`, (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    const settings = { COINFRONT_COIN: writeTrustingCoin() };
    suite = await openDeskSuite(engine, node.url, settings);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  test('have each coin in one place, end, leave their addresses free, and are what their events told', async () => {
    const random = createRandom(SEED);
    const firstOwner = engine.kind === 'sqlite' ? 100_000 : 200_000;
    const owners = Array.from({ length: PAYMENTS }, (_, i) => firstOwner + i);
    const firstHeight = (await node.rpc<number>('getblockcount')) + 1;
    const merchantId = await openMany(owners, firstHeight - 1);
    const waiting: { coin: RawCoin; fee: bigint }[] = [];
    const own = coins.splice(0, 110);

    const payMany = (coin: RawCoin, fee: bigint): RawTx => {
      const outputs = Array.from({ length: WIDTH }, () => ({
        value: random.pick([AMOUNT, AMOUNT, AMOUNT / 2n, AMOUNT + 70_000n, DUST]),
        owner: random.pick(owners),
      }));
      const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
      return spend([coin], [...outputs, { value: coin.value - paid - fee, owner: 7 }], {
        sequence: REPLACEABLE,
      });
    };
    /** What the node refuses, because it is mined or conflicts, is no step. */
    const offer = (tx: RawTx) =>
      node.rpc('sendrawtransaction', tx.hex, 0).then(
        () => true,
        () => false,
      );
    const some = (count: number) => listSome(random, count);
    const tryAll = async (ids: readonly string[], act: (id: string) => Promise<unknown>, codes: string[]) => {
      for (const id of ids) await act(id).catch((error) => expect(codes).toContain(error.code));
    };
    const steps: Record<string, () => Promise<unknown>> = {
      async pay() {
        const coin = own.shift();
        if (coin === undefined) return;
        waiting.push({ coin, fee: 20n * FEE });
        await offer(payMany(coin, 20n * FEE));
      },
      async replace() {
        if (waiting.length === 0) return;
        const entry = random.pick(waiting);
        const fee = entry.fee + 40n * FEE;
        if (await offer(payMany(entry.coin, fee))) entry.fee = fee;
      },
      mine: () => node.mine(1),
      mineNothing: () => mineEmpty(node, 1),
      async reorganise() {
        const height = await node.rpc<number>('getblockcount');
        const depth = Math.min(random.integer(1, 4), height - firstHeight + 1);
        if (depth < 1) return;
        await node.rpc('invalidateblock', await node.rpc('getblockhash', height - depth + 1));
        const entry = random.pick(waiting.length > 0 ? waiting : [undefined]);
        // The new branch may have another transaction of a coin than the one that waits for it.
        if (entry) await mineExactly(node, [payMany(entry.coin, entry.fee)]).catch(() => {});
        await mineEmpty(node, depth + 1);
      },
      age: async () => ageMany(await some(500), random.pick([2 * 3_600_000, DAY + 2 * 3_600_000])),
      cancel: async () => tryAll(await some(40), desk.cancel, ['payment_not_cancellable']),
      accept: async () => tryAll(await some(40), desk.accept, ['payment_not_acceptable', 'recipient_busy']),
      async askAgain() {
        for (let i = 0; i < 30; i++) await create(random.pick(owners));
      },
    };
    const order = ['pay', 'pay', 'pay', 'replace', 'replace', 'mine', 'mineNothing', 'reorganise'].concat([
      'age',
      'cancel',
      'accept',
      'askAgain',
    ]);

    for (let step = 1; step <= STEPS; step++) {
      await steps[random.pick(order)]!();
      if (step % KILL_EVERY === 0) {
        await service.kill();
        await service.start();
      }
      if (random.next() < 0.3) await desk.waitForJudged(await node.rpc('getbestblockhash'));
      if (step % AUDIT_EVERY === 0) await audit(merchantId, owners, firstHeight);
    }

    // A day and more goes by, with blocks: nothing waits any longer.
    for (;;) {
      const ids = await listUnfinished(merchantId);
      if (ids.length === 0) break;
      await ageMany(ids, 2 * DAY);
      await desk.waitForJudged((await node.mine(3)).at(-1)!);
      await waitUntil('what is due is judged', async () => (await countDue(merchantId)) === 0);
    }
    const rows = await audit(merchantId, owners, firstHeight);
    const ends = Map.groupBy(rows, ({ status }) => status);
    expect([...ends.keys()].sort()).toEqual(['cancelled', 'expired', 'overpaid', 'paid']);
    // What was compared was no quiet time.
    for (const { length } of ends.values()) expect(length).toBeGreaterThan(20);

    await replayEvents(merchantId, rows);
    for (let i = 0; i < 50; i++) expect(await create(random.pick(owners))).toBe(201);
  });

  const db = () => desk.precious.query<PaymentTables>();

  async function openMany(owners: readonly number[], height: number): Promise<string> {
    const first = await desk.open({ owner: owners[0]!, amount: AMOUNT });
    const { merchant_id } = await desk.row(first);
    const nowMs = Date.now();
    const rows = owners.slice(1).map((owner, i) =>
      newPaymentRow({
        id: createPaymentId(),
        merchant_id,
        recipient: addressOfOwner(owner),
        address: addressOfOwner(owner),
        script_hash: hashScript(scriptOf(owner)),
        amount: String(AMOUNT),
        confirmations_required: i % 3,
        created_at: nowMs,
        expires_at: nowMs + 3_600_000,
        created_height: height,
        sequence: 0,
      }),
    );
    for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
      await desk.precious.transaction<PaymentTables, unknown>((trx) =>
        trx
          .insertInto('payment')
          .values(rows.slice(at, at + ROWS_PER_INSERT))
          .execute(),
      );
    }
    return merchant_id;
  }

  async function create(owner: number): Promise<number> {
    const body = { recipient: addressOfOwner(owner), amount: '0.003', confirmations_required: 1 };
    const key = { 'x-coin-pay-api-key': desk.apiKey };
    const { status, json } = await service.post('/api/v1/payments', body, key);
    if (status !== 201) expect(['recipient_busy', 'not_ready']).toContain(json.code);
    return status;
  }

  async function listSome(random: Random, count: number): Promise<string[]> {
    const rows = await db().selectFrom('payment').select('id').orderBy('id').execute();
    return Array.from({ length: count }, () => random.pick(rows).id);
  }

  async function ageMany(ids: readonly string[], ms: number): Promise<void> {
    for (const id of new Set(ids)) await desk.age(id, ms);
  }

  async function listUnfinished(merchantId: string): Promise<string[]> {
    const rows = await db()
      .selectFrom('payment')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('status', 'in', ['open', 'underpaid', 'detected', 'confirming', 'reorged'])
      .execute();
    return rows.map(({ id }) => id);
  }

  async function countDue(merchantId: string): Promise<number> {
    const { count } = await db()
      .selectFrom('payment')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('merchant_id', '=', merchantId)
      .where('is_due', '<>', 0)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Compares what is recorded with the node's blocks, coin by coin, and each payment's sums with its coins. */
  async function audit(
    merchantId: string,
    owners: readonly number[],
    fromHeight: number,
  ): Promise<PaymentTable[]> {
    await waitUntil('the mempool is mined', async () => {
      await node.mine(1);
      return (await node.rpc<string[]>('getrawmempool')).length === 0;
    });
    await desk.waitForJudged(await node.rpc('getbestblockhash'));
    await waitUntil('what is due is judged', async () => (await countDue(merchantId)) === 0);
    const rows = await db().selectFrom('payment').selectAll().where('merchant_id', '=', merchantId).execute();
    const outputs = await db()
      .selectFrom('payment_output')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .where('gone', '=', 0)
      .execute();
    const recorded = outputs.map(({ txid, vout, height, value }) => `${txid}:${vout} ${height} ${value}`);
    expect(recorded.sort()).toEqual((await readTruth(owners, fromHeight)).sort());
    const byPayment = Map.groupBy(outputs, ({ payment_id }) => payment_id);
    const sum = (list: readonly { value: string }[]) =>
      list.reduce((total, { value }) => total + BigInt(value), 0n);
    for (const row of rows) {
      const present = (byPayment.get(row.id) ?? []).filter(({ excluded }) => excluded === 0);
      expect(BigInt(row.seen) + BigInt(row.late), row.id).toBe(sum(present));
      expect(BigInt(row.late) >= sum(present.filter(({ late }) => late === 1)), row.id).toBe(true);
    }
    return rows;
  }

  /** Every output of the chain to one of the owners. */
  async function readTruth(owners: readonly number[], fromHeight: number): Promise<string[]> {
    const addresses = new Set(owners.map(addressOfOwner));
    const truth: string[] = [];
    const tip = await node.rpc<number>('getblockcount');
    for (let height = fromHeight; height <= tip; height++) {
      const block = await node.rpc<{ tx: NodeTx[] }>('getblock', await node.rpc('getblockhash', height), 2);
      for (const { txid, vout } of block.tx) {
        for (const { n, value, scriptPubKey } of vout) {
          const address = scriptPubKey.address ?? scriptPubKey.addresses?.[0];
          if (address !== undefined && addresses.has(address))
            truth.push(`${txid}:${n} ${height} ${Math.round(value * 1e8)}`);
        }
      }
    }
    return truth;
  }

  /** What somebody knows who has only read the events, in their order. */
  async function replayEvents(merchantId: string, rows: readonly PaymentTable[]): Promise<void> {
    const events = await db()
      .selectFrom('event')
      .select(['payment_id', 'type', 'sequence', 'body'])
      .where('merchant_id', '=', merchantId)
      .where('payment_id', 'is not', null)
      .orderBy('payment_id')
      .orderBy('sequence')
      .execute();
    const byPayment = Map.groupBy(events, ({ payment_id }) => payment_id!);
    for (const row of rows) {
      const told = byPayment.get(row.id) ?? [];
      expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, i) => i + 1));
      expect(row.sequence).toBe(told.length);
      if (told.length === 0) {
        expect(row.status).toBe('open');
        continue;
      }
      const { payment } = JSON.parse(told.at(-1)!.body).data;
      expect([payment.status, payment.reason, payment.sequence]).toEqual([
        row.status,
        row.reason,
        row.sequence,
      ]);
    }
  }
});

type NodeTx = {
  txid: string;
  vout: { n: number; value: number; scriptPubKey: { address?: string; addresses?: string[] } }[];
};
