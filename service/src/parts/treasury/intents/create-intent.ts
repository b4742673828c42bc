/** Makes an intent: its row and its exact amount in one transaction, on a state of the index that is up to date. */

import { randomBytes } from 'node:crypto';
import type { NewIntentBody, NewIntentJson } from '@coinfront/api/treasury.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { buildPaymentUri } from '@coinfront/protocol/payment-uri.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import {
  contributionPayload,
  contributionScript,
  TAG_BYTES,
} from '@coinfront/protocol/treasury/contribution-tag.ts';
import { countSuffixes } from '@coinfront/protocol/treasury/exact-amount.ts';
import type { Static } from 'typebox';
import type { ChainView } from '../../../chain/chain-view.ts';
import { type NamedClient, secondsOfDayLeft } from '../../../clients/client-names.ts';
import type { ClientQuery, ClientTables } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import { AppError } from '../../../errors.ts';
import { buildUnsigned } from '../../../unsigned/build-unsigned.ts';
import { readSender, type Sender, type SenderBody } from '../../../unsigned/read-sender.ts';
import { serialiseUnsigned } from '../../../unsigned/serialise-unsigned.ts';
import { describeIntent } from '../contributors/serialise-contributor.ts';
import { readSynced } from '../read-synced.ts';
import type { ContributorTable, IntentTable, TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { createIntentId } from '../treasury-ids.ts';
import { defaultExpirySeconds, gracePeriodMs, holdMarginMs, treasuryLimits } from '../treasury-limits.ts';
import { takeExactAmount } from './exact-amounts.ts';
import { countUnpaid, insertIntent } from './intent-store.ts';

type Body = Static<typeof NewIntentBody>;
/** What the chain said before the intent was made. */
type Ground = { version: number; pending: ReadonlySet<bigint>; sender: Sender | undefined };

/** Outputs of the mempool whose amounts are avoided. */
const MOST_PENDING = 2_000;
/** Sums of a few of them still fit 64 bits. */
const MAX_AMOUNT = 2n ** 62n;
const SECOND_MS = 1_000;

/**
 * Makes an intent for a contributor.
 *
 * @param address of the client that asks
 * @throws AppError `amount_invalid`, `invalid_body`, `address_invalid`, `intents_exhausted`, `exact_amounts_exhausted`,
 * `service_behind_node`
 */
export async function createIntent(
  context: TreasuryContext,
  contributor: ContributorTable,
  body: Body,
  address: string,
): Promise<NewIntentJson> {
  const { precious, profile, now } = context;
  const requested = readAmount(body.amount, context);
  const wantsAmount = body.method !== 'carrier';
  if (body.method === 'exact_amount' && countSuffixes(profile.decimals) === 0) {
    throw new AppError(
      'invalid_body',
      `Amounts of ${profile.name} cannot be told apart: use the method "carrier".`,
    );
  }
  const ground = await readSynced(context, (view, version) => readGround(view, version, body, context));
  const client = await context.nameClient(address, now());
  const intent = await precious.transaction<TreasuryTables & ClientTables, IntentTable>(async (trx) => {
    const nowMs = now();
    if ((await countUnpaid(trx, contributor.id, nowMs)) >= treasuryLimits.unpaidIntents) {
      throw new AppError(
        'intents_exhausted',
        `The contributor has ${treasuryLimits.unpaidIntents} unpaid intents; pay one, or wait until some are closed.`,
      );
    }
    const expiresAt = nowMs + (body.expires_in ?? defaultExpirySeconds) * SECOND_MS;
    const row: IntentTable = {
      id: createIntentId(),
      contributor_id: contributor.id,
      requested: String(requested),
      exact_amount: null,
      tag: body.method === 'exact_amount' ? null : bytesToHex(randomBytes(TAG_BYTES)),
      created_at: nowMs,
      created_version: ground.version,
      expires_at: expiresAt,
      closes_at: expiresAt + gracePeriodMs,
    };
    await insertIntent(trx, row);
    if (!wantsAmount || countSuffixes(profile.decimals) === 0) return row;
    await countExactAmount(trx, context, client, nowMs);
    const exact = await takeExactAmount(trx, {
      intentId: row.id,
      requested,
      decimals: profile.decimals,
      pending: ground.pending,
      heldUntilMs: row.closes_at + holdMarginMs,
      nowMs,
    });
    const exact_amount = String(exact);
    await trx.updateTable('treasury_intent').set({ exact_amount }).where('id', '=', row.id).execute();
    return { ...row, exact_amount };
  });
  return await serialise(context, intent, ground.sender);
}

/** @throws AppError `intents_exhausted` */
async function countExactAmount(
  trx: ClientQuery,
  { perClient }: TreasuryContext,
  client: NamedClient,
  nowMs: number,
): Promise<void> {
  if (perClient === undefined) return;
  const limit = perClient.exactAmounts;
  const share = { ofClient: limit, ofNetwork: limit };
  if ((await takeDailyShare(trx, 'exact_amount', client, share, nowMs)) === undefined) return;
  const detail = `A client is given ${limit} exact amounts a day (UTC), and so is a /48 of IPv6 as a whole. Ask for the method "carrier", which needs none.`;
  throw new AppError('intents_exhausted', detail, { 'retry-after': String(secondsOfDayLeft(nowMs)) });
}

/** @throws AppError `amount_invalid` */
function readAmount(text: string, { profile }: TreasuryContext): bigint {
  const parsed = parseAmount(text, profile.decimals);
  if (!parsed.ok) throw new AppError('amount_invalid', `"amount": ${parsed.reason}.`);
  const show = (value: bigint) => `${formatAmount(value, profile.decimals)} ${profile.ticker}`;
  if (parsed.value < profile.dustLimit)
    throw new AppError(
      'amount_invalid',
      `"amount" is below ${show(profile.dustLimit)}: nodes relay no less.`,
    );
  if (parsed.value > MAX_AMOUNT)
    throw new AppError(
      'amount_invalid',
      `"amount" is above ${show(MAX_AMOUNT)}, the most that an intent is for.`,
    );
  return parsed.value;
}

async function readGround(
  view: ChainView,
  version: number,
  { address, public_key, fee_rate }: Body,
  context: TreasuryContext,
): Promise<Ground> {
  const { script } = context.treasury;
  const outputs = await view.listMempoolUtxos(script, undefined, MOST_PENDING);
  const sender: SenderBody = {
    ...(address === undefined ? {} : { address }),
    ...(public_key === undefined ? {} : { public_key }),
    ...(fee_rate === undefined ? {} : { fee_rate }),
  };
  return {
    version,
    pending: new Set(outputs.map(({ value }) => value)),
    sender: await readSender(view, sender, context),
  };
}

async function serialise(
  context: TreasuryContext,
  row: IntentTable,
  sender: Sender | undefined,
): Promise<NewIntentJson> {
  const { profile, treasury, readChain } = context;
  const tag = row.tag === null ? undefined : getHexBytes(row.tag);
  const amount = BigInt(row.exact_amount ?? row.requested);
  const outputs: TxOutput[] = [
    { value: amount, script: treasury.script },
    ...(tag === undefined ? [] : [{ value: 0n, script: contributionScript(tag, treasury.marker) }]),
  ];
  const unsigned =
    sender &&
    (await readChain((view) =>
      buildUnsigned(view, { sender, outputs, feeRatePerKvb: sender.feeRatePerKvb }, profile),
    ));
  return {
    ...describeIntent(row, [], context),
    address: treasury.address,
    script: bytesToHex(treasury.script),
    carrier:
      tag === undefined
        ? null
        : {
            script: bytesToHex(contributionScript(tag, treasury.marker)),
            payload: bytesToHex(contributionPayload(tag, treasury.marker)),
          },
    payment_uri: row.exact_amount === null ? null : writeUri(context, amount, row.id),
    confirmations_required: treasury.confirmations,
    ...serialiseUnsigned(unsigned, sender?.feeRatePerKvb ?? 0n, profile.decimals),
  };
}

function writeUri({ profile, treasury }: TreasuryContext, amount: bigint, reference: string): string | null {
  const built = buildPaymentUri(
    { address: treasury.address, amount, label: `${profile.name} treasury`, message: undefined, reference },
    profile,
  );
  return built.ok ? built.value : null;
}
