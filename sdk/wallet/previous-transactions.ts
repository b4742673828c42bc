import { equalBytes, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { outpointOf, type WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { TransactionReads, WalletReads } from './wallet-reads.ts';

/** Hex digits of one transaction: none of a block is longer. */
const MAX_HEX = 8_000_000;
/** Bytes of all that one PSBT carries. */
const MAX_CARRIED_BYTES = 4_000_000;

/** A transaction whose bytes hash to the txid that was asked for. */
export type ProvenTransaction = { tx: Transaction /** Without witness. */; stripped: Uint8Array };

/**
 * Fetches a transaction and proves that it is the one: its bytes hash to its id.
 *
 * @throws WalletError `previous_transaction_invalid`
 */
export async function fetchTransaction(
  txid: string,
  reads: Pick<WalletReads, 'getRawTransaction'>,
): Promise<ProvenTransaction> {
  return prove(txid, await reads.getRawTransaction(txid));
}

function prove(txid: string, hex: unknown): ProvenTransaction {
  const bytes = typeof hex === 'string' && hex.length <= MAX_HEX ? parseHex(hex) : undefined;
  const parsed = bytes?.ok ? parseTransaction(bytes.value) : undefined;
  if (!parsed?.ok || toDisplayHash(txidOf(parsed.value)) !== txid) {
    throw new WalletError(
      'previous_transaction_invalid',
      `The service gave other bytes than transaction ${txid}.`,
    );
  }
  return { tx: parsed.value, stripped: serializeTransaction(parsed.value, { witness: false }) };
}

/** Requests that are under way at once where each transaction is one. */
const PARALLEL_REQUESTS = 6;

/**
 * Fetches and proves several transactions, each once: in few requests where the reads can do that.
 *
 * @returns by display txid
 * @throws WalletError `previous_transaction_invalid`
 */
export async function fetchTransactions(
  txids: Iterable<string>,
  reads: TransactionReads,
): Promise<Map<string, ProvenTransaction>> {
  const wanted = [...new Set(txids)];
  const hexes = await readAll(wanted, reads);
  return new Map(wanted.map((txid, i) => [txid, prove(txid, hexes[i])]));
}

async function readAll(txids: readonly string[], reads: TransactionReads): Promise<readonly string[]> {
  if (reads.getRawTransactions !== undefined) return await reads.getRawTransactions(txids);
  const hexes: string[] = [];
  for (let i = 0; i < txids.length; i += PARALLEL_REQUESTS) {
    const few = txids.slice(i, i + PARALLEL_REQUESTS);
    hexes.push(...(await Promise.all(few.map((txid) => reads.getRawTransaction(txid)))));
  }
  return hexes;
}

/**
 * Fetches the transactions that coins come from, and checks that each coin has the script and the value that the
 * service told. A wrong value would become a fee.
 *
 * @returns stripped transactions by display txid
 * @throws WalletError `previous_transaction_invalid`, `coin_mismatch`, `too_many_inputs`
 */
export async function proveCoins(
  coins: readonly WalletCoin[],
  reads: TransactionReads,
): Promise<Map<string, Uint8Array>> {
  const proven = await fetchTransactions(
    coins.map(({ txid }) => txid),
    reads,
  );
  let carried = 0;
  for (const coin of coins) {
    const source = proven.get(coin.txid)!;
    // The PSBT has it once for each input.
    carried += source.stripped.length;
    if (carried > MAX_CARRIED_BYTES) {
      throw new WalletError(
        'too_many_inputs',
        'The transactions that these coins come from are too large to carry.',
      );
    }
    const output = source.tx.outputs[coin.vout];
    if (
      output === undefined ||
      output.value !== coin.value ||
      !equalBytes(output.script, coin.owner.script)
    ) {
      const detail = `The service told of ${outpointOf(coin)} what its transaction does not say: amount or address differ.`;
      throw new WalletError('coin_mismatch', detail);
    }
  }
  return new Map([...proven].map(([txid, { stripped }]) => [txid, stripped]));
}
