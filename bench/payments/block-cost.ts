import { setTimeout as delay } from 'node:timers/promises';
import { findServedTip } from '../service-process.ts';
import { brief, quantile, type Row } from '../table.ts';
import { AMOUNT } from './open-payments.ts';
import type { PaymentRig } from './payment-rig.ts';

const BLOCKS = 10;
const MOST_PAID_IN_BLOCK = 1_000;
const JUDGED_TIMEOUT_MS = 60_000;
const POLL_MS = 1;

/** What a block costs while many payments are open: one that pays none of them, and one that pays many. */
export async function measureBlockCost(rig: PaymentRig): Promise<Row[]> {
  const perBlock = Math.min(MOST_PAID_IN_BLOCK, Math.floor(rig.open.length / BLOCKS));
  const emptyMs: number[] = [];
  const payingMs: number[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    emptyMs.push(await timeBlock(rig));
    const paid = rig.open.slice(block * perBlock, (block + 1) * perBlock);
    const outputs = Object.fromEntries(paid.map(({ address }) => [address, AMOUNT]));
    await rig.node('sendmany', '', outputs);
    await waitUntilStatus(rig, paid.at(-1)!.id, 'detected');
    payingMs.push(await timeBlock(rig));
    await waitUntilStatus(rig, paid.at(-1)!.id, 'paid');
  }
  return [
    describe(rig, 'that pays none of them', emptyMs),
    describe(rig, `that makes ${perBlock} of them paid`, payingMs),
  ];
}

/** From the API serving a new block to its payments being judged by it. */
async function timeBlock(rig: PaymentRig): Promise<number> {
  const { hash } = await rig.mineBlock();
  const [servedAtMs, judgedAtMs] = await Promise.all([
    waitUntil(async () => (await findServedTip(rig.service)) === hash, 'The block is not served'),
    waitUntil(async () => (await readPayment(rig, rig.open[0]!.id)).as_of?.hash === hash, 'It is not judged'),
  ]);
  return Math.max(0, judgedAtMs - servedAtMs);
}

async function waitUntilStatus(rig: PaymentRig, id: string, status: string): Promise<void> {
  await waitUntil(async () => (await readPayment(rig, id)).status === status, `${id} is not ${status}`);
}

type PaymentGlance = { status: string; as_of: { hash: string } | null };

async function readPayment({ service }: PaymentRig, id: string): Promise<PaymentGlance> {
  const answer = await fetch(`${service.origin}/api/v1/payments/${id}`);
  return (await answer.json()) as PaymentGlance;
}

async function waitUntil(holds: () => Promise<boolean>, what: string): Promise<number> {
  const deadline = performance.now() + JUDGED_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await holds()) return performance.now();
    await delay(POLL_MS);
  }
  throw new Error(`${what} within ${JUDGED_TIMEOUT_MS / 1_000} s.`);
}

function describe({ open }: PaymentRig, what: string, costsMs: readonly number[]): Row {
  return {
    measure: `payments: a block ${what}, ${open.length} open`,
    ratio: '-',
    bound: '< 1,000 ms',
    figures: `p50 ${brief(quantile(costsMs, 0.5))} ms, most ${brief(Math.max(...costsMs))} ms, of ${costsMs.length} blocks`,
    how: 'from /status naming the block to GET /payments/{id} naming it in as_of: waking, judging, commit',
  };
}
