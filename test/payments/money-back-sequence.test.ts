import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { isClosed } from '../../service/src/parts/payments/judging/payment-rules.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, makeMatureCoins, type RawCoin, type RawTx } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const SEED = 20_261_124;
const STEPS = 110;
const AUDIT_EVERY = 11;
const PAYMENTS = 6;
const AMOUNT = 300_000n;

let node: TestNode;
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  coins = await makeMatureCoins(node, { count: 240, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine(`money of payments after any sequence of events (seed ${SEED})`, (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;
  let merchant: TestMerchant;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const find = async (id: string): Promise<LeftoverJson> =>
    (await merchant.get(`/api/v1/payments/${id}/refunds`)).json;

  test('is part of the deal, in refunds, let be or open; and what is open is listed', async () => {
    const random = createRandom(SEED);
    const firstHeight = (await node.rpc<number>('getblockcount')) + 1;
    const firstOwner = engine.kind === 'sqlite' ? 30_000 : 31_000;
    const owners = Array.from({ length: PAYMENTS }, (_, i) => firstOwner + i);
    const ids: string[] = [];
    for (const owner of owners) {
      const body = { recipient: addressOfOwner(owner), amount: '0.003', confirmations_required: 1 };
      ids.push((await merchant.post('/api/v1/payments', body)).json.id);
    }
    const spent: { coin: RawCoin; fee: bigint }[] = [];
    const refused = new Map<string, number>();
    const done = new Map<string, number>();
    const ask = async (what: string, path: string, body: object = {}) => {
      const { status, json } = await merchant.post(`/api/v1/payments/${path}`, body);
      expect(status, JSON.stringify(json)).toBeLessThan(500);
      const counts = status < 300 ? done : refused;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      return json;
    };
    const chooseTx = (coin: RawCoin, fee: bigint): RawTx =>
      payOwner(coin, random.pick(owners), random.pick([AMOUNT, AMOUNT / 2n, AMOUNT + 70_000n]), fee);
    const offer = (tx: RawTx) => node.rpc('sendrawtransaction', tx.hex, 0).catch(() => {});
    const pickRefund = async (): Promise<string | undefined> => {
      const id = random.pick(ids);
      const { refunds } = await find(id);
      return refunds.length === 0 ? undefined : `${id}/refunds/${random.pick(refunds).id}`;
    };

    const steps: Record<string, () => Promise<unknown>> = {
      async pay() {
        const coin = coins.shift()!;
        spent.push({ coin, fee: FEE });
        await offer(chooseTx(coin, FEE));
      },
      async replace() {
        if (spent.length === 0) return;
        const entry = random.pick(spent);
        entry.fee += 20n * FEE;
        await offer(chooseTx(entry.coin, entry.fee));
      },
      mine: () => node.mine(1),
      async reorganise() {
        const height = await node.rpc<number>('getblockcount');
        const depth = Math.min(random.integer(1, 3), height - firstHeight + 1);
        if (depth < 1) return;
        await node.rpc('invalidateblock', await node.rpc('getblockhash', height - depth + 1));
        await mineEmpty(node, depth + 1);
      },
      expire: () => desk.age(random.pick(ids), 26 * 3_600_000),
      cancel: () => ask('cancel', `${random.pick(ids)}/cancel`),
      accept: () => ask('accept', `${random.pick(ids)}/accept`),
      resolve: () => ask('resolve', `${random.pick(ids)}/resolve`, { note: 'Let be.' }),
      async refund() {
        const amount = random.pick([{}, { amount: '0.001' }, { amount: '0.0015' }]);
        await ask('refund', `${random.pick(ids)}/refunds`, { address: addressOfOwner(2), ...amount });
      },
      /** Several at once, of which the sum is too much. */
      async refundTwice() {
        const id = random.pick(ids);
        const body = { address: addressOfOwner(2) };
        await Promise.all([1, 2, 3].map(() => ask('refund', `${id}/refunds`, body)));
      },
      async send() {
        const refund = await pickRefund();
        if (refund === undefined) return;
        const coin = coins.shift()!;
        const tx = payOwner(coin, 2, random.pick([AMOUNT / 3n, AMOUNT * 2n]));
        if (random.next() < 0.7) await offer(tx);
        await ask('send', `${refund}/sent`, { txid: tx.txid });
      },
      async takeBack() {
        const refund = await pickRefund();
        if (refund !== undefined) await ask('takeBack', `${refund}/cancel`);
      },
      async kill() {
        await service.kill();
        await service.start();
      },
    };
    const order = [
      ...['pay', 'pay', 'pay', 'replace', 'mine', 'mine', 'mine', 'reorganise', 'expire', 'cancel'],
      ...['accept', 'resolve', 'refund', 'refund', 'refund', 'refundTwice', 'send', 'send', 'takeBack'],
    ];
    for (let step = 1; step <= STEPS; step++) {
      await steps[step % 37 === 0 ? 'kill' : random.pick(order)]!();
      if (random.next() < 0.5) await desk.waitForJudged(await node.rpc('getbestblockhash'));
      if (step % AUDIT_EVERY > 0) continue;
      await desk.waitForJudged((await node.mine(1))[0]!);
      for (const id of ids) await audit(id);
      await auditList(ids);
    }
    // What was compared was no quiet time.
    for (const what of ['refund', 'send', 'takeBack', 'resolve'])
      expect(done.get(what), what).toBeGreaterThan(0);
    expect(refused.get('refund')).toBeGreaterThan(0);
  }, 180_000);

  async function audit(id: string): Promise<void> {
    const row = await desk.row(id);
    const there = (await desk.outputs(id)).filter(({ gone, excluded }) => gone === 0 && excluded === 0);
    const came = there.reduce((sum, { value }) => sum + BigInt(value), 0n);
    const found = await find(id);
    const left = units(found.left_over);
    const counted = BigInt(row.seen);
    const kept = isClosed(row) ? 0n : counted < AMOUNT ? counted : AMOUNT;
    expect(came, JSON.stringify([row, found])).toBe(kept + left);
    expect(left + units(found.uncovered)).toBe(
      units(found.refunded) + units(found.resolved) + units(found.open),
    );
    expect(units(found.settled) + units(found.pending)).toBe(left);
    expect(row.refunded).toBe(String(units(found.refunded)));
    const standing = found.refunds.filter(({ state }) => state !== 'cancelled');
    expect(units(found.refunded)).toBe(standing.reduce((sum, { amount }) => sum + units(amount), 0n));
    // Without a gap and without a double; refunds may have gone on since the row was read.
    expect((await desk.events(id)).length).toBeGreaterThanOrEqual(row.sequence);
  }

  async function auditList(ids: readonly string[]): Promise<void> {
    const { items } = (await merchant.get('/api/v1/merchant/unsettled')).json as { items: LeftoverJson[] };
    const open: string[] = [];
    const listed = new Set(items.map(({ payment_id }) => payment_id));
    for (const id of ids) {
      const found = await find(id);
      if (units(found.open) > 0n) open.push(id);
      // What is uncovered is listed until its merchant lets it be.
      const mayBe = units(found.open) > 0n || units(found.uncovered) > 0n;
      if (!mayBe || found.resolutions.length === 0) expect(listed.has(id), JSON.stringify(found)).toBe(mayBe);
    }
    expect([...listed]).toEqual(expect.arrayContaining(open));
  }
});

function units(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
