import type { PaymentJson } from '@coinfront/api/payments.ts';
import { judgePayment } from '../promises/judge-payment.ts';
import type { PaymentPromise } from '../promises/record.ts';
import { askForPayment } from '../work/do-work.ts';
import { type Checked, need, sample } from './checked.ts';
import { followFeed } from './events.ts';

/** Of those that are not looked at anyway. */
const OLD_ONES = 6;
const NEW_ONES = 24;

/** Asks again for what got no answer, under the same key: each gets its one payment. */
export async function repeatRequests({ rig, record }: Checked): Promise<string[]> {
  for (const request of [...record.openRequests.values()]) await askForPayment(rig, record, request);
  return [...record.openRequests.keys()].map((key) => `the request ${key} still has no payment`);
}

/** Each payment is as it was promised and as the node's outputs make it, and its newest event is the newest of the feed. */
export async function checkPayments(checked: Checked): Promise<string[]> {
  const all = [...checked.record.payments.values()];
  const fresh = all.slice(-NEW_ONES);
  const chosen = checked.isFull ? all : [...new Set([...fresh, ...sample(checked.random, all, OLD_ONES)])];
  const problems: string[] = [];
  for (const promise of chosen) problems.push(...(await checkPayment(checked, promise)));
  return problems;
}

async function checkPayment({ rig, record, truth }: Checked, promise: PaymentPromise): Promise<string[]> {
  const path = `/api/v1/payments/${promise.id}`;
  const shown: PaymentJson = need(path, await rig.client.get(path));
  const own = (record.eventsOf.get(promise.id) ?? []).map(({ type }) => type);
  const latest = Math.max(0, ...(record.eventsOf.get(promise.id) ?? []).map(({ sequence }) => sequence));
  const problems = judgePayment(shown, {
    promise,
    outputs: truth.listOutputs(promise.address),
    tipHeight: truth.height(),
    wasPaid: own.some((type) => type === 'payment.paid' || type === 'payment.overpaid'),
    mayBeOver: promise.expiresAt <= Date.now() + 1_000 * (rig.clock?.furthest() ?? 0),
  });
  if (shown.sequence === latest) return problems;
  await followFeed({ rig, record });
  return [...problems, `${promise.id} is at event ${shown.sequence}, and the feed has ${latest}`];
}

/** The merchant's list has each promised payment once, and none that nobody asked for. */
export async function checkList({ rig, record }: Checked): Promise<string[]> {
  const keys = new Map<string, string>();
  const problems: string[] = [];
  const addresses = new Set<string>();
  for (let query = '?limit=100'; query !== ''; ) {
    const path = `/api/v1/payments${query}`;
    const page = need(path, await rig.client.getAsMerchant(path));
    for (const { id, description, address } of page.items as PaymentJson[]) {
      if (keys.has(description))
        problems.push(`${description} has two payments: ${id}, ${keys.get(description)}`);
      if (addresses.has(address)) problems.push(`${address} is leased to ${id} and to another payment`);
      if (record.payments.get(id)?.key !== description)
        problems.push(`nobody was promised ${id} (${description})`);
      keys.set(description, id);
      addresses.add(address);
    }
    query = page.next_cursor === null ? '' : `?limit=100&cursor=${page.next_cursor}`;
  }
  for (const { key, id } of record.payments.values())
    if (keys.get(key) !== id) problems.push(`${id} (${key}) is not in the list`);
  return problems;
}
