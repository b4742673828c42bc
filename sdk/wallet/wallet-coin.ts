import type { UtxoJson } from '@coinfront/api/chain-addresses.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from './network.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';

/** A coin of the wallet, as a service tells of it; its value is proven before it is spent. */
export type WalletCoin = {
  /** Display hex. */
  readonly txid: string;
  readonly vout: number;
  /** Base units. */
  readonly value: bigint;
  readonly owner: WalletAddress;
  /** Of its block; undefined while it waits in the mempool. */
  readonly height: number | undefined;
  readonly coinbase: boolean;
  /** Mature, and not spent in the mempool. */
  readonly spendable: boolean;
  readonly spentInMempool: boolean;
};

const TXID = /^[0-9a-f]{64}$/;
const MAX_VOUT = 0xfffffffe;

/**
 * Reads one unspent output of an answer; whose it is is known by the address that was asked for.
 *
 * @throws WalletError `answer_invalid`
 */
export function readCoin(json: UtxoJson, network: Network): Omit<WalletCoin, 'owner'> {
  const amount = typeof json?.value === 'string' ? parseAmount(json.value, network.decimals) : undefined;
  const isGood =
    amount?.ok === true &&
    TXID.test(json.txid) &&
    Number.isInteger(json.vout) &&
    json.vout >= 0 &&
    json.vout <= MAX_VOUT &&
    (json.height === null || Number.isInteger(json.height)) &&
    typeof json.spendable === 'boolean';
  if (!isGood) {
    throw new WalletError('answer_invalid', 'The service told of an output that has not the form of one.');
  }
  return {
    txid: json.txid,
    vout: json.vout,
    value: amount.value,
    height: json.height ?? undefined,
    coinbase: json.coinbase === true,
    spendable: json.spendable,
    spentInMempool: json.spent_in_mempool === true,
  };
}

/** An outpoint as text: what a coin is known by. */
export function outpointOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}
