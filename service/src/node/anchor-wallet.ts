import { parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { makeFeeChild } from './fee-child.ts';
import { countAncestors } from './mempool-entry.ts';
import { isNodeError, NodeError, RPC_CODE } from './node-error.ts';
import { readFields } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';
import { signRaw } from './sign-raw.ts';

/** A signed transaction that nobody has seen yet, with the coins (`txid:vout`) that it spends. */
export type SignedAnchor = { rawTxHex: string; txid: string; coins: string[] };

/** Which of these coins (`txid:vout`) a transaction that was fixed before spends already. */
export type ListTaken = (coins: readonly string[]) => Promise<string[]>;

/** A wallet of the node, with the operator's own coins: the node holds its keys and signs. */
export type AnchorWallet = {
  /**
   * Makes a signed transaction with a data carrier of this payload, of coins that are not taken. Nothing is set aside in
   * the wallet: what fails or is interrupted costs no coin. Two at once may get the same coins.
   *
   * @throws NodeError when the wallet cannot: no funds, locked, not loaded, or a fee above the bound
   */
  sign(payloadHex: string, listTaken: ListTaken): Promise<SignedAnchor>;
  /** Makes the transaction that pays for one that waits ({@link makeFeeChild}). */
  payFor(parent: FixedAnchor, anchors: number): Promise<SignedAnchor | undefined>;
};

/** A transaction that is fixed. */
export type FixedAnchor = Omit<SignedAnchor, 'coins'>;

/**
 * Coins that the wallet offers although they are taken: after a restart it does not know of transactions that were fixed
 * and not sent. Each try sets aside those it offered.
 */
const FUNDING_TRIES = 20;

/**
 * Unconfirmed transactions that an anchor may build on. Nodes take chains of 25: there is room left for some that pay for the others, when blocks pass
 * all of them over.
 */
const MAX_ANCESTORS = 20;

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
    async sign(payloadHex, listTaken) {
      const blank = await client.call<string>('createrawtransaction', [[], [{ data: payloadHex }]]);
      for (let tries = 0; tries < FUNDING_TRIES; tries++) {
        const answer = await client.callText<unknown>('fundrawtransaction', [blank]);
        const funded = readFields(client, 'transaction of its wallet', answer);
        const fee = parseAmount(String(funded.fee), decimals);
        if (!fee.ok) return refuse('gave a transaction without its fee');
        if (fee.value > bound) return refuse(`asks for a fee of ${funded.fee}, above the bound`);
        const unsigned = parseHex(String(funded.hex));
        if (!unsigned.ok) return refuse('gave a transaction that is no hex');
        const coins = listCoins(bytesToHex(unsigned.value));
        const taken = await listTaken(coins);
        if (taken.length > 0) {
          await setAside(client, taken);
          continue;
        }
        if ((await countAncestors(client, coins)) > MAX_ANCESTORS)
          return refuse(`has only coins that hang on more than ${MAX_ANCESTORS} unconfirmed transactions`);
        return { ...(await signRaw(client, String(funded.hex))), coins };
      }
      return refuse('offers only coins that are spent already');
    },
    payFor: (parent, anchors) => makeFeeChild(client, parent, bound * BigInt(anchors), decimals),
  };
}

/** Keeps the wallet from offering these again. One that was spent, or set aside, meanwhile it does not offer anyway. */
async function setAside(client: NodeClient, coins: readonly string[]): Promise<void> {
  await client.call('lockunspent', [false, coins.map(readCoin)]).catch((error: unknown) => {
    if (!isNodeError(error, 'rpc') || error.rpcCode !== RPC_CODE.invalidParameter) throw error;
  });
}

/** The coins that a transaction spends, as `txid:vout`. */
export function listCoins(rawTxHex: string): string[] {
  const tx = parseTransaction(getHexBytes(rawTxHex));
  return tx.ok ? tx.value.inputs.map((input) => `${toDisplayHash(input.prevTxid)}:${input.prevVout}`) : [];
}

function readCoin(coin: string): { txid: string; vout: number } {
  return { txid: coin.slice(0, 64), vout: Number(coin.slice(65)) };
}
