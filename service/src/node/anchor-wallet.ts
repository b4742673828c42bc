import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { NodeError } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

/** A signed transaction that nobody has seen yet. */
export type SignedAnchor = { rawTxHex: string; txid: string };

/** A wallet of the node, with the operator's own coins: the node holds its keys and signs. */
export type AnchorWallet = {
  /**
   * Makes a signed transaction with a data carrier of this payload, and sets its inputs aside.
   *
   * @throws NodeError when the wallet cannot: no funds, locked, not loaded, or a fee above the bound
   */
  sign(payloadHex: string): Promise<SignedAnchor>;
};

/** The URL of a wallet's own RPC endpoint. */
export function walletUrl(nodeUrl: string, wallet: string): string {
  const url = new URL(nodeUrl);
  url.pathname = `/wallet/${encodeURIComponent(wallet)}`;
  return url.href;
}

/**
 * Uses the wallet that `client` speaks to.
 *
 * @param maxFee decimal of coins that one transaction may cost
 */
export function createAnchorWallet(
  client: NodeClient,
  { maxFee, decimals }: { maxFee: string; decimals: number },
): AnchorWallet {
  const refuse = (what: string): never => {
    throw new NodeError('rpc', `The wallet of the node at ${client.origin} ${what}.`);
  };
  const bound = getValue(parseAmount(maxFee, decimals));
  return {
    async sign(payloadHex) {
      const blank = await client.call<string>('createrawtransaction', [[], [{ data: payloadHex }]]);
      const funded = await client.callText<{ hex: string; fee: string }>('fundrawtransaction', [
        blank,
        { lockUnspents: true },
      ]);
      const fee = parseAmount(funded.fee, decimals);
      if (!fee.ok || fee.value > bound) {
        await unlock(client, funded.hex);
        refuse(`asks for a fee of ${funded.fee}, above the bound`);
      }
      const signed = await client.call<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', [
        funded.hex,
      ]);
      const tx = signed.complete ? parseTransaction(getHexBytes(signed.hex)) : undefined;
      if (!tx?.ok) return refuse('could not sign the transaction');
      return { rawTxHex: signed.hex, txid: toDisplayHash(txidOf(tx.value)) };
    },
  };
}

async function unlock(client: NodeClient, rawTxHex: string): Promise<void> {
  const tx = parseTransaction(getHexBytes(rawTxHex));
  if (!tx.ok) return;
  const outpoints = tx.value.inputs.map(({ prevTxid, prevVout }) => ({
    txid: toDisplayHash(prevTxid),
    vout: prevVout,
  }));
  await client.call('lockunspent', [true, outpoints]);
}
