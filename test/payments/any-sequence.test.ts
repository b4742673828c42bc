import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { dueOf, isClosed, nameStatus } from '../../service/src/parts/payments/judging/payment-rules.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  makeMatureCoins,
  mineExactly,
  type RawCoin,
  type RawTx,
} from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs, writeTrustingCoin } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const SEED = 20_261_120;
const STEPS = 90;
const AUDIT_EVERY = 15;
const PAYMENTS = 8;
const AMOUNT = 300_000n;
/** Of the payments in turn: without any, a replacement takes back what was paid. */
const CONFIRMATIONS = [2, 0];
const DUST = 6_000n;
const A_DAY = 24 * 3_600_000;
/** Longer than what is overdue can wait for the judge. */
const A_MOMENT = 3_000_000;

let node: TestNode;
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  coins = await makeMatureCoins(node, { count: 200, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine(`payments after any sequence of events (seed ${SEED})`, (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    const settings = { COINFRONT_COIN: writeTrustingCoin() };
    suite = await openDeskSuite(engine, node.url, settings);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  test('are what the chain of the node says, with every change told once', async () => {
    const random = createRandom(SEED);
    const firstHeight = (await node.rpc<number>('getblockcount')) + 1;
    const firstOwner = engine.kind === 'sqlite' ? 5_000 : 6_000;
    const owners = Array.from({ length: PAYMENTS }, (_, i) => firstOwner + i);
    const ids: string[] = [];
    for (const owner of owners)
      ids.push(await desk.open({ owner, amount: AMOUNT, confirmations: CONFIRMATIONS[ids.length % 2]! }));
    /** Payments after their merchant cancelled them, with what they were then. */
    const closed = new Map<string, string[]>();
    /** Coins in use, with the latest transaction that spends each. */
    const spent: { coin: RawCoin; tx: RawTx; fee: bigint }[] = [];

    const chooseTx = (coin: RawCoin, fee: bigint): RawTx =>
      payOwner(coin, random.pick(owners), random.pick([AMOUNT, AMOUNT / 2n, AMOUNT + 70_000n, DUST]), fee);
    /** What the node refuses, because it is mined or conflicts, is no step. */
    const offer = (tx: RawTx) =>
      node.rpc('sendrawtransaction', tx.hex, 0).then(
        () => true,
        () => false,
      );
    const steps: Record<string, () => Promise<unknown>> = {
      async pay() {
        const coin = coins.shift()!;
        const tx = chooseTx(coin, FEE);
        spent.push({ coin, tx, fee: FEE });
        await offer(tx);
      },
      async replace() {
        if (spent.length === 0) return;
        const entry = random.pick(spent);
        const fee = entry.fee + 20n * FEE;
        const tx = chooseTx(entry.coin, fee);
        if (await offer(tx)) Object.assign(entry, { tx, fee });
      },
      mine: () => node.mine(1),
      mineNothing: () => mineEmpty(node, 1),
      async reorganise() {
        const height = await node.rpc<number>('getblockcount');
        const depth = Math.min(random.integer(1, 4), height - firstHeight + 1);
        if (depth < 1) return;
        const lowest = await node.rpc<string>('getblockhash', height - depth + 1);
        await node.rpc('invalidateblock', lowest);
        // The new branch may have another transaction of a coin than the one that waits for it.
        const entry = random.pick(spent.length > 0 ? spent : [undefined]);
        const other = entry && chooseTx(entry.coin, entry.fee + FEE);
        if (
          other &&
          (await mineExactly(node, [other]).then(
            () => true,
            () => false,
          ))
        )
          entry.tx = other;
        await mineEmpty(node, depth);
      },
      /** As if a long time had passed: it may end now. */
      async age() {
        await desk.age(random.pick(ids), random.pick([2 * 3_600_000, A_DAY + 2 * 3_600_000]));
      },
      async cancel() {
        const id = random.pick(ids);
        await desk.cancel(id).then(
          async () => closed.set(id, await desk.events(id)),
          (error) => expect(error).toMatchObject({ code: 'payment_not_cancellable' }),
        );
      },
      async accept() {
        const id = random.pick(ids);
        await desk.accept(id).then(
          () => closed.delete(id),
          (error) => expect(['payment_not_acceptable', 'recipient_busy']).toContain(error.code),
        );
      },
      async kill() {
        await service.kill();
        await service.start();
      },
    };
    const order = [
      'pay',
      'pay',
      'pay',
      'pay',
      'pay',
      'replace',
      'replace',
      'replace',
      'replace',
      'mine',
      'mineNothing',
      'reorganise',
      'reorganise',
      'age',
      'cancel',
      'accept',
    ];

    for (let step = 1; step <= STEPS; step++) {
      await steps[step % 15 === 0 ? 'kill' : random.pick(order)]!();
      // Sometimes the judge sees what a step left, sometimes only what several did.
      if (random.next() < 0.5) await desk.waitForJudged(await node.rpc('getbestblockhash'));
      if (step % AUDIT_EVERY > 0) continue;
      await desk.waitForJudged((await node.mine(1))[0]!);
      const truth = await readTruth(node, firstHeight, owners);
      for (const [i, id] of ids.entries()) await audit(id, truth.get(owners[i]!)!);
      for (const [id, before] of closed) {
        const since = (await desk.events(id)).slice(before.length);
        expect(since.filter(tellsStatus)).toEqual([]);
        expect(await desk.row(id)).toMatchObject({ status: 'cancelled', accepted_at: null });
      }
    }
    const told = await Promise.all(ids.map((id) => desk.events(id)));
    // What was compared was no quiet time: more happened than that each payment was paid.
    expect(told.flat().length).toBeGreaterThan(2 * PAYMENTS);
    const ends = ['payment.expired', 'payment.cancelled', 'payment.late', 'payment.reorged'];
    expect(told.flat()).toEqual(expect.arrayContaining(ends));
  });

  async function audit(id: string, truth: readonly PaidOutput[]): Promise<void> {
    const row = await desk.row(id);
    const present = (await desk.outputs(id)).filter(({ gone }) => gone === 0);
    const place = ({ txid, vout, height }: { txid: string; vout: number; height: number | null }) =>
      `${txid}:${vout} at ${height}`;
    expect(present.map(place).sort()).toEqual(truth.map(place).sort());
    const tip = await node.rpc<number>('getblockcount');
    const sum = (outputs: readonly PaidOutput[]) => outputs.reduce((total, { value }) => total + value, 0n);
    const lateOnes = new Set(
      present.filter(({ late }) => late === 1).map(({ txid, vout }) => `${txid}:${vout}`),
    );
    const isLate = ({ txid, vout }: PaidOutput) => lateOnes.has(`${txid}:${vout}`);
    const counted = truth.filter((output) => !isLate(output));
    const sums = {
      seen: sum(counted),
      mined: sum(counted),
      deep: sum(counted.filter(({ height }) => tip - height + 1 >= row.confirmations_required)),
    };
    expect(row).toMatchObject({
      seen: String(sums.seen),
      mined: String(sums.mined),
      deep: String(sums.deep),
      late: String(sum(truth.filter(isLate))),
      is_due: 0,
    });
    if (isClosed(row)) expect(row).toMatchObject({ check_at: null, held: 0, settled: 0, final: 0 });
    else {
      const target = { due: dueOf(row), amount: AMOUNT };
      expect(row.status).toBe(nameStatus(sums, target, row.settled === 1));
      // What is not in blocks has an end, and that has not come yet.
      if (sums.mined < target.due && sums.deep < target.due)
        expect(row.check_at).toBeGreaterThan(Date.now() - A_MOMENT);
    }
    const events = (await desk.events(id)).filter(tellsStatus);
    expect(events.at(-1) ?? 'payment.open').toBe(`payment.${row.status}`);
    expect(events.filter((type, i) => type === events[i - 1])).toEqual([]);
  }
});

/** Money that comes within a status, or late, has events of its own. */
function tellsStatus(type: string): boolean {
  return type !== 'payment.late' && type !== 'payment.received';
}

type PaidOutput = { txid: string; vout: number; height: number; value: bigint };

/** What the node's blocks pay each owner; the mempool is empty. */
async function readTruth(
  node: TestNode,
  fromHeight: number,
  owners: readonly number[],
): Promise<Map<number, PaidOutput[]>> {
  expect(await node.rpc('getrawmempool')).toEqual([]);
  const byAddress = new Map(owners.map((owner) => [addressOfOwner(owner), owner]));
  const truth = new Map<number, PaidOutput[]>(owners.map((owner) => [owner, []]));
  const tip = await node.rpc<number>('getblockcount');
  for (let height = fromHeight; height <= tip; height++) {
    const { tx } = await node.rpc<{ tx: NodeTx[] }>('getblock', await node.rpc('getblockhash', height), 2);
    for (const { txid, vout } of tx) {
      for (const { n, value, scriptPubKey } of vout) {
        const owner = byAddress.get(scriptPubKey.address ?? scriptPubKey.addresses?.[0] ?? '');
        if (owner === undefined) continue;
        truth.get(owner)!.push({ txid, vout: n, height, value: BigInt(Math.round(value * 1e8)) });
      }
    }
  }
  return truth;
}

type NodeTx = {
  txid: string;
  vout: { n: number; value: number; scriptPubKey: { address?: string; addresses?: string[] } }[];
};
