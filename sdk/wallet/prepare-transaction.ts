import type { Client } from '../client/client.ts';
import { type BuiltTransaction, buildTransaction } from './build-transaction.ts';
import { clientReads } from './client-reads.ts';
import { chooseFeeRate, type FeePolicy, type FeeWish } from './fee-policy.ts';
import { listHolders } from './list-holdings.ts';
import { nextAddress, type ScanProgress, scanAccounts, type WalletScan } from './scan-accounts.ts';
import type { TransactionPlan } from './transaction-plan.ts';
import type { AddressKind, WalletAddress } from './wallet-address.ts';
import type { WatchWallet } from './watch-wallet.ts';

export type PrepareParameters = {
  wallet: WatchWallet;
  plan: TransactionPlan;
  /** How soon it shall confirm, or a rate; within 6 blocks unless given. */
  fee?: FeeWish;
  policy?: FeePolicy;
  /** Further addresses that keep a coin, such as the owner of a name that is committed to and not registered yet. */
  keep?: readonly WalletAddress[];
  /** Kind of the address that change goes to; that of the wallet's first account unless given. */
  changeKind?: AddressKind;
  signal?: AbortSignal;
  onProgress?: (progress: ScanProgress) => void;
};

/** A transaction to sign, what it would do, and the scan that it was built from. */
export type PreparedTransaction = BuiltTransaction & { readonly scan: WalletScan };

/**
 * From a plan to a transaction that can be shown and signed: scans the wallet, chooses a fee rate, and builds it so that names and
 * tokens can still be moved after it. Addresses that hold any keep a coin of their own, unless the plan is theirs or the payment
 * needs it. Nothing is signed or sent.
 *
 * @throws WalletError as `scanAccounts`, `chooseFeeRate` and `buildTransaction`; CoinfrontError of the service. Where it cannot be
 *   known what an address holds, nothing is built.
 * @example
 * const plan = planPayment([{ address, amount: 150_000n }], watch.network);
 * const { psbt, review } = await prepareTransaction(client, { wallet: watch, plan });
 */
export async function prepareTransaction(
  client: Client,
  { wallet, plan, fee = {}, policy, keep = [], changeKind, signal, onProgress }: PrepareParameters,
): Promise<PreparedTransaction> {
  const reads = clientReads(client);
  const options = signal === undefined ? {} : { signal };
  const scan = await scanAccounts(wallet, reads, {
    ...options,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const kind = changeKind ?? wallet.accounts[0]!.kind;
  const built = await buildTransaction({
    wallet,
    coins: scan.coins,
    own: scan.used,
    keep: [...keep, ...(await listHolders(client, scan, options))],
    plan,
    feeRatePerKvb: await chooseFeeRate(fee, () => reads.getFees(options), wallet.network, policy),
    change: nextAddress(scan, { kind, chain: 1 }),
    reads,
    ...(policy === undefined ? {} : { policy }),
  });
  return { ...built, scan };
}
