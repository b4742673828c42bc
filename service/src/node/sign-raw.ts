import { bytesToHex, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import { NodeError } from './node-error.ts';
import { readFields } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';

/** A signed transaction; `vsize` in virtual bytes. */
export type SignedRaw = { rawTxHex: string; txid: string; vsize: number };

/**
 * Has the wallet that `client` speaks to sign a transaction.
 *
 * @throws NodeError when it cannot
 */
export async function signRaw(client: NodeClient, unsignedHex: string): Promise<SignedRaw> {
  const signed = await client.call<unknown>('signrawtransactionwithwallet', [unsignedHex]);
  const { complete, hex } = readFields(client, 'signed transaction', signed);
  const bytes = parseHex(String(hex));
  const tx = complete === true && bytes.ok ? parseTransaction(bytes.value) : undefined;
  if (!tx?.ok || !bytes.ok)
    throw new NodeError('rpc', `The wallet of the node at ${client.origin} could not sign the transaction.`);
  return {
    rawTxHex: bytesToHex(bytes.value),
    txid: toDisplayHash(txidOf(tx.value)),
    vsize: transactionSizes(tx.value).vsize,
  };
}
