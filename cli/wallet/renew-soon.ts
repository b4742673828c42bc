import { formatAmount } from '@coinfront/protocol/amount.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import type { WalletName } from '@coinfront/sdk/wallet/list-holdings.ts';
import { type NameStatus, quoteName, readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { type NameCost, planNameRenew } from '@coinfront/sdk/wallet/plan-names.ts';
import { waitForBudget } from '@coinfront/sdk/wallet/wait-for-budget.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import { CliError, describeFailure } from '../shell/cli-error.ts';
import type { Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { showCoins, showCount } from './amounts.ts';
import { choosePayer } from './choose-payer.ts';
import { confirm } from './confirm.ts';
import { findPendingRenewals } from './find-pending-renewals.ts';
import { openPurse } from './open-purse.ts';
import { type Purse, readFeeRate, type SpendOptions, spend } from './spend.ts';

/** What is renewed, and what for. */
export type RenewSoon = {
  readonly periods: number;
  /** Blocks ahead of the tip; undefined is about thirty days. */
  readonly within: number | undefined;
  /** Base units for all names together, without network fees. */
  readonly atMost: bigint | undefined;
};

type Due = { readonly name: WalletName; readonly cost: NameCost };
type Sent = { readonly name: string; readonly txid: string; readonly cost: string };

const SECONDS_SOON = 30 * 86_400;
/** Each renewal spends the change of the one before: nodes take 25 such transactions in a row. */
const MOST_AT_ONCE = 24;

/**
 * Renews the names of the wallet that expire soon or are in their grace: shows what all of them cost, asks once, and signs one
 * transaction for each.
 *
 * @throws CliError, WalletError, CoinfrontError; the first failure ends it, and says what was sent before
 */
export async function renewSoon(
  context: Context,
  purse: Purse,
  asked: RenewSoon,
  options: SpendOptions,
): Promise<Outcome> {
  const { client } = purse.session;
  const { network } = purse.file.watch;
  const status = await getNameStatus(client);
  const within = asked.within ?? Math.ceil(SECONDS_SOON / status.rules.block_interval_seconds);
  const soon = listSoon(purse, status.as_of.height + within);
  const pending =
    soon.length === 0 ? new Set() : await findPendingRenewals(client, purse.scan, context.signal);
  const { due, left } = await quoteAll(context, purse, status, {
    ...asked,
    names: soon.filter(({ name }) => !pending.has(name)),
  });
  const waiting = soon.filter(({ name }) => pending.has(name)).map(({ name }) => name);
  const rest = [
    ...waiting.map((name) => `${name}: its renewal waits for a block`),
    ...left.map(({ name, why }) => `${name}: ${why}`),
  ];
  const now = due.slice(0, MOST_AT_ONCE);
  const more = due.length - now.length;
  if (more > 0) rest.push(`${showCount(more, 'name')} more: run this again when these are in a block`);
  const total = now.reduce((sum, { cost }) => sum + cost.total, 0n);
  const facts = { within, periods: asked.periods, not_renewed: rest };
  if (now.length === 0) {
    const line = `No name is to be renewed within ${showCount(within, 'block')}.`;
    return {
      json: { ...facts, renewed: [], cost: formatAmount(0n, network.decimals) },
      lines: [line, ...rest],
    };
  }
  if (asked.atMost !== undefined && total > asked.atMost) {
    const detail = `They cost ${showCoins(total, network)}, more than the ${showCoins(asked.atMost, network)} that were allowed.`;
    throw new WalletError('amount_invalid', detail);
  }
  const rate = await readFeeRate(options, purse);
  const shown = [
    `You renew ${showCount(now.length, 'name')} for ${showCount(asked.periods, 'period')} each:`,
    ...now.map(
      ({ name, cost }) =>
        `  ${name.name.padEnd(24)} ${name.state === 'grace' ? 'expired at' : 'until'} block ${name.expiry.height}  ${showCoins(cost.total, network)}`,
    ),
    ...rest.map((line) => `  not ${line}`),
    `  in all     ${showCoins(total, network)}, and ${showCount(now.length, 'network fee')} at ${showRate(rate)} base units per virtual byte`,
  ];
  await confirm(context, shown, 'Sign and send them?');
  const renewed = await sendAll(context, purse, now, {
    ...asked,
    status,
    options: { ...options, 'fee-rate': showRate(rate) },
  });
  return {
    json: { ...facts, renewed, cost: formatAmount(total, network.decimals) },
    lines: [...renewed.map(({ name, txid }) => `Sent: ${txid}, ${name}`), ...rest],
  };
}

/** Names that can still be renewed and expire up to a height, the first first. */
function listSoon({ names }: Purse, lastHeight: number): WalletName[] {
  return names
    .filter(
      ({ state, expiry }) => (state === 'registered' || state === 'grace') && expiry.height <= lastHeight,
    )
    .sort((a, b) => a.expiry.height - b.expiry.height);
}

/** What each of the names costs; `left` cannot be renewed, and why. */
async function quoteAll(
  context: Context,
  { session, file }: Purse,
  status: NameStatus,
  { names, periods }: Pick<RenewSoon, 'periods'> & { names: readonly WalletName[] },
): Promise<{ due: Due[]; left: { name: string; why: string }[] }> {
  const due: Due[] = [];
  const left: { name: string; why: string }[] = [];
  for (const name of names) {
    const availability = await waitForBudget(
      () => getNameAvailability(session.client, { name: name.name }),
      context.signal,
    );
    try {
      const cost = quoteName('renew', availability, status, file.watch.network, { periods });
      due.push({ name, cost });
    } catch (error) {
      if (!(error instanceof WalletError) || error.code !== 'name_unavailable') throw error;
      left.push({ name: name.name, why: error.message });
    }
  }
  return { due, left };
}

/** Sends one after the other, each from what the wallet has then. Nobody is asked again: what each costs was agreed to. */
async function sendAll(
  context: Context,
  opened: Purse,
  due: readonly Due[],
  { periods, status, options }: RenewSoon & { status: NameStatus; options: SpendOptions },
): Promise<Sent[]> {
  const { file } = opened;
  const agreed = { ...context, options: { ...context.options, yes: true } };
  const payer = choosePayer(opened.scan, undefined);
  const keys = await unlockWallet(context, file);
  const sent: Sent[] = [];
  try {
    for (const { name: each, cost } of due) {
      const { name } = each;
      const purse = sent.length === 0 ? opened : await openPurse(context);
      const plan = planNameRenew({ name, payer, periods, cost, syntax: readNameSyntax(status) });
      const { txid } = await spend(agreed, purse, { plan, intro: [`You renew ${name}`], keys }, options);
      sent.push({ name, txid: txid!, cost: formatAmount(cost.total, file.watch.network.decimals) });
    }
    return sent;
  } catch (error) {
    if (sent.length === 0) throw error;
    const { code, message, exitCode, facts } = describeFailure(error);
    const detail = `${message} Sent before: ${sent.map(({ name, txid }) => `${name} (${txid})`).join(', ')}.`;
    throw new CliError(code, detail, exitCode, { cause: error, facts: { ...facts, renewed: sent } });
  } finally {
    keys.wipe();
  }
}

/** A rate as `--fee-rate` takes it. */
function showRate(perKvb: bigint): string {
  return `${perKvb / 1_000n}.${String(perKvb % 1_000n).padStart(3, '0')}`;
}
