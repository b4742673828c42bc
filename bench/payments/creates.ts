import { brief, quantile, type Row } from '../table.ts';
import { AMOUNT, makeAddress } from './open-payments.ts';
import type { PaymentRig } from './payment-rig.ts';

const CONCURRENCY = 64;

/** Payments per second, each in its own request: with addresses of the pool, and with given recipients. */
export async function measureCreates(
  rig: PaymentRig,
  count: number,
): Promise<{ rows: Row[]; ids: string[] }> {
  const fresh = Array.from({ length: 2 * count }, () => makeAddress(rig.random).address);
  await rig.importAddresses(fresh.slice(0, count));
  const pool = await timeCreates(rig, Array(count).fill({ use_address_pool: true, amount: AMOUNT }));
  const given = await timeCreates(
    rig,
    fresh.slice(count).map((recipient) => ({ recipient, amount: AMOUNT })),
  );
  return {
    rows: [describe('address of the pool', pool), describe('given recipient', given)],
    ids: [...pool.ids, ...given.ids],
  };
}

type Creates = { ids: string[]; seconds: number; latenciesMs: number[] };

async function timeCreates(rig: PaymentRig, bodies: readonly object[]): Promise<Creates> {
  const ids: string[] = [];
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < bodies.length) {
      const body = bodies[next++]!;
      const askedAt = performance.now();
      ids.push((await rig.createPayment(body)).id);
      latenciesMs.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { ids, latenciesMs, seconds: (performance.now() - startedAt) / 1_000 };
}

function describe(name: string, { ids, seconds, latenciesMs }: Creates): Row {
  return {
    measure: `payments: creates, ${name}`,
    ratio: '-',
    bound: 'aim 1,000/s',
    figures: `${brief(ids.length / seconds)} creates/s, p50 ${brief(quantile(latenciesMs, 0.5))} ms, p99 ${brief(quantile(latenciesMs, 0.99))} ms, of ${ids.length}`,
    how: `${CONCURRENCY} requests under way, from this process; each create is on the disk before its answer`,
  };
}
