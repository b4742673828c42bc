import { setTimeout as delay } from 'node:timers/promises';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { testProfile as profile } from '../../test/harness/test-coin.ts';
import type { Work, WorkKind } from '../plan/work.ts';
import {
  type BroadcastPromise,
  choose,
  type OpenRequest,
  type PaymentPromise,
  type PromiseRecord,
} from '../promises/record.ts';
import type { ClientAnswer } from '../rig/client.ts';
import type { Rig } from '../rig/rig.ts';
import type { OperationMaker, SignedOperation } from './operations.ts';
import type { Signers } from './signers.ts';

/** Who does the work, and where it is noted what was promised. */
export type Workers = {
  readonly rig: Rig;
  readonly record: PromiseRecord;
  readonly signers: Signers;
  readonly makeOperation: OperationMaker;
};

const PERCENT = 100n;
/** Of the payments the newest are paid: older ones have been. */
const PAYABLE = 12;

/** Does one thing at its moment. What cannot be done, since something is broken, is left undone; what was asked is noted. */
export async function doWork(workers: Workers, work: Work, name: string): Promise<void> {
  await delay(work.atMs);
  const { rig, record, signers, makeOperation } = workers;
  switch (work.kind) {
    case 'create':
      return await askForPayment(rig, record, { key: name, body: describePayment(work, name) });
    case 'pay': {
      const payment = choose(listPayable(record), work.which);
      if (!payment) return;
      const amount = (payment.amount * BigInt(work.percent)) / PERCENT;
      await rig.node.rpc('sendtoaddress', payment.address, formatAmount(amount, 8)).catch(() => {});
      return;
    }
    case 'pay-by-broadcast': {
      const payment = choose(listPayable(record), work.which);
      const { script } = payment ? getValue(decodeAddress(payment.address, profile)) : {};
      if (!payment || !script) return;
      const signed = signers.sign(work.by, () => [{ value: payment.amount, script }]);
      return await broadcast(workers, signed && { signed, digest: undefined });
    }
    case 'broadcast':
      return await broadcast(workers, makeOperation(work));
    case 'cancel':
      return await cancel(rig, choose([...record.payments.values()], work.which));
    case 'contribute':
      return await contribute(rig, record, work.amount);
    case 'mine':
      await rig.withChain(() => rig.node.mine(1)).catch(() => {});
  }
}

/** Asks for a payment; without an answer it stays open, to be asked for again under the same key. */
export async function askForPayment(rig: Rig, record: PromiseRecord, request: OpenRequest): Promise<void> {
  record.openRequests.set(request.key, request);
  const answer = await rig.client.postAsMerchant('/api/v1/payments', request.body, {
    'idempotency-key': request.key,
  });
  if (answer?.status === 201) {
    const { id, address, expires_at } = answer.json;
    record.openRequests.delete(request.key);
    record.payments.set(id, {
      key: request.key,
      id,
      address,
      amount: BigInt(String(request.body.amount).replace('.', '')),
      confirmations: Number(request.body.confirmations_required),
      expiresAt: Date.parse(expires_at),
      isCancelled: false,
      mayBeCancelled: false,
    });
  }
}

/** Broadcasts a transaction; without an answer it stays open, to be sent again. */
export async function sendToBroadcast(
  rig: Rig,
  record: PromiseRecord,
  promise: BroadcastPromise,
): Promise<ClientAnswer | undefined> {
  const answer = await rig.client.post('/api/v1/broadcast', { raw_tx: promise.hex });
  if (answer?.status === 200) record.broadcasts.set(promise.txid, promise);
  return answer;
}

async function broadcast({ rig, record }: Workers, operation: SignedOperation | undefined): Promise<void> {
  if (!operation) return;
  const { signed, digest } = operation;
  const promise = { txid: toDisplayHash(signed.txid), hex: signed.hex, digest, isDropped: false };
  const answer = await sendToBroadcast(rig, record, promise);
  if (answer === undefined || answer.status === 503) record.openBroadcasts.push(promise);
}

async function cancel({ client }: Rig, payment: PaymentPromise | undefined): Promise<void> {
  if (!payment) return;
  // An earlier one whose answer was lost may have cancelled it.
  const mayBe = payment.mayBeCancelled;
  payment.mayBeCancelled = true;
  const answer = await client.postAsMerchant(`/api/v1/payments/${payment.id}/cancel`, {});
  if (answer?.status === 200) payment.isCancelled = true;
  if (answer && answer.status !== 503) payment.mayBeCancelled = mayBe;
}

async function contribute({ client, node }: Rig, record: PromiseRecord, amount: bigint): Promise<void> {
  const registered = await client.post('/api/treasury/contributors', {});
  if (registered?.status !== 201) return;
  const { contributor_secret } = registered.json;
  record.contributors.push(contributor_secret);
  const intent = await client.post('/api/treasury/intents', {
    contributor_secret,
    amount: formatAmount(amount, 8),
  });
  if (intent?.status !== 201) return;
  const { address, exact_amount } = intent.json;
  await node.rpc('sendtoaddress', address, exact_amount).catch(() => {});
}

function describePayment(
  { amount, confirmations, expiresInSeconds }: Extract<WorkKind, { kind: 'create' }>,
  name: string,
): Record<string, unknown> {
  return {
    use_address_pool: true,
    amount: formatAmount(amount, 8),
    confirmations_required: confirmations,
    expires_in: expiresInSeconds,
    description: name,
  };
}

function listPayable(record: PromiseRecord): PaymentPromise[] {
  return [...record.payments.values()].slice(-PAYABLE);
}
