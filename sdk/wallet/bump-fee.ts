import { parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { type BuiltTransaction, completeTransaction, markOwn } from './build-transaction.ts';
import { asCandidate, type CoinCandidate, MAX_INPUTS } from './choose-coins.ts';
import { describePayload } from './describe-payload.ts';
import { defaultFeePolicy, type FeePolicy } from './fee-policy.ts';
import { fetchTransaction, fetchTransactions } from './previous-transactions.ts';
import type { WalletScan } from './scan-accounts.ts';
import { type SelectionTarget, selectCoins } from './select-coins.ts';
import type { PlannedOutput } from './transaction-plan.ts';
import { feeOf } from './transaction-weight.ts';
import type { WalletAddress } from './wallet-address.ts';
import { outpointOf, type WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { TransactionReads, WalletReads } from './wallet-reads.ts';

/** A transaction that replaces another one, with the fee of that one, base units. */
export type BumpedTransaction = BuiltTransaction & { replaces: { txid: string; fee: bigint } };

export type BumpParameters = {
  /** Of the wallet, made after the transaction was sent. */
  scan: WalletScan;
  txid: string;
  /** Base units for 1,000 virtual bytes; raised to what nodes ask of a replacement. */
  feeRatePerKvb: bigint;
  /** Addresses that hold names or tokens: their coins are added only where no others suffice. */
  keep?: readonly WalletAddress[];
  /** A change address, for a transaction that has none. */
  change: WalletAddress;
  reads: TransactionReads & Pick<WalletReads, 'getFees'>;
  policy?: FeePolicy;
};

/** Highest sequence that signals replaceability (BIP-125). */
const MAX_REPLACEABLE = 0xfffffffd;
/** What Core asks for each 1,000 virtual bytes of a replacement on top of the old fee, at least. */
const MIN_INCREMENT = 1_000n;

/**
 * Builds a transaction that pays more for the same: all inputs stay, input 0 in its place, and all outputs but the change,
 * in their places. So the sender, a payload, and the id of a token that it creates stay the same; the change pays, then
 * further confirmed coins.
 *
 * @throws WalletError `not_replaceable`, `input_foreign`, `insufficient_funds`, `fee_absurd`, …
 * @example
 * const { psbt, review, replaces } = await bumpFee({ scan, txid, feeRatePerKvb, change, reads });
 */
export async function bumpFee(parameters: BumpParameters): Promise<BumpedTransaction> {
  const { scan, txid, change, reads, policy, keep = [] } = parameters;
  const { tx } = await fetchTransaction(txid, reads);
  if (!tx.inputs.some(({ sequence }) => sequence <= MAX_REPLACEABLE)) {
    throw new WalletError('not_replaceable', 'The transaction does not signal that it may be replaced.');
  }
  const own = new Map(scan.used.map((address) => [bytesToHex(address.script), address]));
  checkOpen(txid, tx, own, scan);
  const spent = await readInputs(tx, own, reads);
  const sum = (values: readonly { value: bigint }[]) =>
    values.reduce((total, { value }) => total + value, 0n);
  const oldFee = sum(spent) - sum(tx.outputs);
  const oldChange = findChange(tx, spent, own);
  const outputs = oldChange === undefined ? tx.outputs : tx.outputs.slice(0, -1);
  const changeAddress = oldChange ?? change;
  const increment = await readIncrement(parameters);

  const target: SelectionTarget<CoinCandidate> = {
    required: spent.map(asCandidate),
    candidates: [],
    outputs,
    changeScript: changeAddress.script,
    feeRatePerKvb: parameters.feeRatePerKvb,
    dustLimit: scan.wallet.network.dustLimit,
    maxInputs: MAX_INPUTS,
  };
  const kept = new Set(keep.map(({ address }) => address));
  const further = scan.coins.filter((coin) => isFurther(coin, spent)).map(asCandidate);
  const free = further.filter(({ coin }) => !kept.has(coin.owner.address));
  const selection =
    selectAbove({ ...target, candidates: free }, oldFee, increment) ??
    selectAbove({ ...target, candidates: further }, oldFee, increment);
  if (selection === undefined) {
    throw new WalletError(
      'insufficient_funds',
      'The change and the other confirmed coins do not pay a higher fee.',
    );
  }
  const back: PlannedOutput[] =
    selection.change === undefined ? [] : [{ script: changeAddress.script, value: selection.change }];
  const built = await completeTransaction({
    wallet: scan.wallet,
    coins: selection.coins.map(({ coin }) => coin),
    outputs: markOwn([...outputs, ...back], [changeAddress, ...scan.used]),
    reads,
    policy,
  });
  return { ...built, replaces: { txid, fee: oldFee } };
}

/** What a node asks on top (BIP-125, rule 4), as its service tells it; what is beyond all reason is not believed. */
async function readIncrement({ scan, reads, policy }: BumpParameters): Promise<bigint> {
  const { network } = scan.wallet;
  const { minimum } = await reads.getFees();
  const parsed = parseAmount(String(minimum?.per_kvb), network.decimals);
  const told = parsed.ok ? parsed.value : 0n;
  const most = (policy ?? defaultFeePolicy(network)).maxAdvisedRatePerKvb;
  return told < MIN_INCREMENT ? MIN_INCREMENT : told > most ? MIN_INCREMENT : told;
}

/** Selects at the rate, raised until the fee passes the old one by the increment. */
function selectAbove(target: SelectionTarget<CoinCandidate>, oldFee: bigint, increment: bigint) {
  let { feeRatePerKvb } = target;
  for (let tries = 0; tries < 10; tries += 1) {
    const selection = selectCoins({ ...target, feeRatePerKvb });
    if (!selection.ok) return undefined;
    const least = oldFee + feeOf(selection.vsize, increment);
    if (selection.fee >= least) return selection;
    const needed = (least * 1_000n + BigInt(selection.vsize) - 1n) / BigInt(selection.vsize);
    feeRatePerKvb = needed > feeRatePerKvb ? needed : feeRatePerKvb + 1n;
  }
  return undefined;
}

async function readInputs(
  tx: Transaction,
  own: ReadonlyMap<string, WalletAddress>,
  reads: TransactionReads,
): Promise<WalletCoin[]> {
  const sources = await fetchTransactions(
    tx.inputs.map(({ prevTxid }) => toDisplayHash(prevTxid)),
    reads,
  );
  const coins: WalletCoin[] = [];
  for (const { prevTxid, prevVout } of tx.inputs) {
    const txid = toDisplayHash(prevTxid);
    const output = sources.get(txid)!.tx.outputs[prevVout];
    const owner = output && own.get(bytesToHex(output.script));
    if (output === undefined || owner === undefined) {
      throw new WalletError(
        'input_foreign',
        `${txid}:${prevVout} is not of this wallet, so its transaction cannot be replaced here.`,
      );
    }
    coins.push({
      txid,
      vout: prevVout,
      value: output.value,
      owner,
      height: undefined,
      coinbase: false,
      spendable: true,
      spentInMempool: true,
    });
  }
  return coins;
}

/**
 * The change is the last output, when it is the wallet's, no payload names it, and it is there to come back: to a change
 * address or to one that was spent from, behind an operation, or as all that there is.
 */
function findChange(
  { outputs }: Transaction,
  spent: readonly WalletCoin[],
  own: ReadonlyMap<string, WalletAddress>,
): WalletAddress | undefined {
  const last = outputs.length - 1;
  const owner = own.get(bytesToHex(outputs[last]!.script));
  if (owner === undefined || listNamedOutputs(outputs).includes(last)) return undefined;
  const isReturn =
    last === 0 ||
    owner.chain === 1 ||
    spent.some((coin) => coin.owner.address === owner.address) ||
    outputs.some(({ script }) => describePayload(script) !== undefined);
  return isReturn ? owner : undefined;
}

/**
 * Refuses to replace what is in a block, and what other transactions of the wallet hang on: they would go with it.
 * A spent output is not among the coins, or said to be spent.
 */
function checkOpen(
  txid: string,
  { outputs }: Transaction,
  own: ReadonlyMap<string, WalletAddress>,
  scan: WalletScan,
): void {
  for (const [vout, { script }] of outputs.entries()) {
    if (!own.has(bytesToHex(script))) continue;
    const coin = scan.coins.find((each) => each.txid === txid && each.vout === vout);
    if (coin !== undefined && coin.height === undefined && !coin.spentInMempool) continue;
    const why =
      coin?.height === undefined
        ? 'another transaction spends what it gave back'
        : 'it is in a block already';
    throw new WalletError('not_replaceable', `${txid} cannot be replaced: ${why}.`);
  }
}

function listNamedOutputs(outputs: readonly PlannedOutput[]): number[] {
  return outputs.flatMap(({ script }) => {
    const payload = describePayload(script);
    if (payload?.protocol !== 'name' && payload?.protocol !== 'token') return [];
    const { operation } = payload;
    if (operation.kind === 'mint') return [operation.toVout];
    if (operation.kind !== 'transfer') return [];
    return 'shares' in operation ? operation.shares.map(({ toVout }) => toVout) : [operation.toVout];
  });
}

/** A replacement must not bring unconfirmed inputs of its own (BIP-125, rule 2). */
function isFurther(coin: WalletCoin, spent: readonly WalletCoin[]): boolean {
  const isSpent = spent.some((each) => outpointOf(each) === outpointOf(coin));
  return coin.height !== undefined && coin.spendable && !isSpent;
}
