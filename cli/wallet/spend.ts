import { writeFile } from 'node:fs/promises';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { buildTransaction } from '@coinfront/sdk/wallet/build-transaction.ts';
import { chooseFeeRate, type FeeWish } from '@coinfront/sdk/wallet/fee-policy.ts';
import type { WalletName, WalletToken } from '@coinfront/sdk/wallet/list-holdings.ts';
import { writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import type { TransactionReview } from '@coinfront/sdk/wallet/review-transaction.ts';
import { nextAddress, type WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import {
  finaliseTransaction,
  type SignedTransaction,
  signTransaction,
} from '@coinfront/sdk/wallet/sign-transaction.ts';
import type { TransactionPlan } from '@coinfront/sdk/wallet/transaction-plan.ts';
import type { WalletKeys } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import type { WalletFile } from '../keystore/wallet-file.ts';
import type { Session } from '../service/connect.ts';
import { misuse } from '../shell/cli-error.ts';
import type { Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { chooseKind } from './address-kind.ts';
import { readWhole } from './amounts.ts';
import { confirm } from './confirm.ts';
import { showReview } from './describe-review.ts';
import { sendSigned } from './send-signed.ts';

/** Options of every command that spends. */
export const spendOptions = {
  'fee-rate': { value: '<rate>', summary: 'base units per virtual byte, such as 1.5' },
  target: { value: '<blocks>', summary: 'confirm within this many blocks (default: 6)' },
  psbt: { value: '<file>', summary: 'write it unsigned to a new file, and send nothing', file: true },
} as const;

export type SpendOptions = { readonly [K in keyof typeof spendOptions]: string | undefined };

/** What is spent from: a wallet, its service, and what was found there. */
export type Purse = {
  readonly file: WalletFile;
  readonly session: Session;
  readonly scan: WalletScan;
  readonly names: readonly WalletName[];
  readonly tokens: readonly WalletToken[];
};

/** What shall be sent. */
export type Spending = {
  readonly plan: TransactionPlan;
  /** What it means to the person, above what it does. */
  readonly intro: readonly string[];
  /** More of the answer. */
  readonly facts?: object;
  /** The last look before it is sent. */
  readonly check?: (signed: SignedTransaction) => Promise<unknown>;
  /** Keys that are open already. */
  readonly keys?: WalletKeys;
};

/** What was sent, or written as a PSBT. */
export type Spent = {
  readonly txid: string | undefined;
  readonly review: TransactionReview;
  readonly outcome: Outcome;
};

/**
 * Builds, shows, asks, signs and sends: the one way by which this program spends.
 *
 * @throws CliError `declined`, `confirmation_needed`, and of the wallet's file; WalletError; CoinfrontError
 */
export async function spend(
  context: Context,
  purse: Purse,
  spending: Spending,
  options: SpendOptions,
): Promise<Spent> {
  const { file, session, scan, names, tokens } = purse;
  const { network } = file.watch;
  const feeRatePerKvb = await readFeeRate(options, purse);
  const change = nextAddress(scan, { kind: chooseKind(undefined, network), chain: 1 });
  const { psbt, review } = await buildTransaction({
    wallet: file.watch,
    coins: scan.coins,
    own: scan.used,
    // Only their own coins make them the sender of what comes later.
    keep: [...names.map(({ owner }) => owner), ...tokens.map(({ holder }) => holder)],
    plan: spending.plan,
    feeRatePerKvb,
    change,
    reads: session.reads,
  });
  return await finishSpending(context, purse, { ...spending, psbt, review }, options);
}

/** The fee rate that was asked for, or that the service advises. */
export function readFeeRate(
  { 'fee-rate': rate, target }: SpendOptions,
  { file, session }: Purse,
): Promise<bigint> {
  const wish: FeeWish =
    rate !== undefined
      ? { ratePerKvb: readRate(rate) }
      : { targetBlocks: readWhole('--target', target ?? '6', { min: 1, max: 1008 }) };
  return chooseFeeRate(wish, () => session.reads.getFees(), file.watch.network);
}

function readRate(text: string): bigint {
  const match = /^([0-9]{1,9})(?:\.([0-9]{1,3}))?$/.exec(text);
  if (!match)
    throw misuse(`--fee-rate is a number with at most 3 decimals, such as 1.5; received "${text}".`);
  return BigInt(match[1]! + (match[2] ?? '').padEnd(3, '0'));
}

/** Shows a built transaction, asks, signs and sends it; or writes it as a PSBT. */
export async function finishSpending(
  context: Context,
  { file, session }: Purse,
  {
    psbt,
    review,
    intro,
    facts,
    check,
    keys: given,
  }: Omit<Spending, 'plan'> & {
    psbt: Uint8Array;
    review: TransactionReview;
  },
  options: Pick<SpendOptions, 'psbt'>,
): Promise<Spent> {
  const { network } = file.watch;
  const described = describeReview(review, network.decimals);
  const shown = [...intro, ...showReview(review, network).map((line) => `  ${line}`)];
  if (options.psbt !== undefined) {
    await writeFile(options.psbt, `${writePsbt(psbt)}\n`, { flag: 'wx', mode: 0o600 });
    const json = { ...facts, psbt_file: options.psbt, ...described };
    const outcome = { json, lines: [...shown, `Written to ${options.psbt}; nothing was signed or sent.`] };
    return { txid: undefined, review, outcome };
  }
  await confirm(context, shown, 'Sign and send it?');
  const keys = given ?? (await unlockWallet(context, file));
  let signedPsbt: Uint8Array;
  try {
    signedPsbt = signTransaction(keys, file.watch, psbt, { approval: review.approval });
  } finally {
    if (given === undefined) keys.wipe();
  }
  const signed = finaliseTransaction([signedPsbt]);
  await check?.(signed);
  const txid = await sendSigned(context, session, signed, signedPsbt);
  const outcome = { json: { ...facts, txid, ...described }, lines: [`Sent: ${txid}`] };
  return { txid, review, outcome };
}

/** What a transaction does, for programs. */
export function describeReview(review: TransactionReview, decimals: number) {
  const format = (value: bigint) => formatAmount(value, decimals);
  return {
    fee: format(review.fee),
    vsize: review.vsize,
    fee_per_kvb: format(review.feeRatePerKvb),
    sent: format(review.sent),
    returned: format(review.returned),
    outputs: review.outputs.map(({ index, kind, value, address }) => ({
      index,
      kind,
      value: format(value),
      address: address ?? null,
    })),
  };
}
