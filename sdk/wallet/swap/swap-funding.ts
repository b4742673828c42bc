import { parseAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { getTransaction } from '../../chain/get-transaction.ts';
import type { Client } from '../../client/client.ts';
import { listAddressTokens } from '../../tokens/list-address-tokens.ts';
import type { Network } from '../network.ts';
import type { TransactionPlan } from '../transaction-plan.ts';
import type { WalletAddress } from '../wallet-address.ts';
import {
  checkTerms,
  mismatch,
  RECEIVER_VOUT,
  type SwapTerms,
  swapCarrier,
  swapEscrow,
} from './swap-terms.ts';

/** The transaction that brings the tokens into the escrow. */
export type SwapFunding = {
  /** Display hex. */
  readonly txid: string;
  /** Without witnesses: what the other party needs, and nobody can send. */
  readonly stripped: Uint8Array;
};

/**
 * Plans the funding. Build and sign it, and keep it: it is sent when the other party has signed the refund.
 *
 * @param parameters.holder - who has the tokens, an address of segwit: the id of the funding must not change
 * @throws WalletError `swap_mismatch`, …
 * @example
 * const { psbt, review } = await prepareTransaction(client, { wallet: watch, plan: planSwapFunding({ terms, holder, network }) });
 */
export function planSwapFunding({
  terms,
  holder,
  network,
}: {
  terms: SwapTerms;
  holder: WalletAddress;
  network: Network;
}): TransactionPlan {
  checkTerms(terms, network);
  if (holder.kind === 'p2pkh') throw mismatch('The tokens have to be at an address of segwit.');
  const escrow = { script: swapEscrow(terms, network).script, value: terms.escrowValue };
  return { outputs: [swapCarrier(terms), escrow], sender: holder };
}

/**
 * Reads a funding, signed or without witnesses, and refuses one that is not what the terms say.
 *
 * @param hex - of the transaction
 * @throws WalletError `swap_mismatch`
 * @example
 * const funding = readSwapFunding(terms, signed.hex, watch.network);
 */
export function readSwapFunding(terms: SwapTerms, hex: string, network: Network): SwapFunding {
  checkTerms(terms, network);
  const bytes = parseHex(hex);
  const parsed = bytes.ok ? parseTransaction(bytes.value) : undefined;
  if (!parsed?.ok) throw mismatch('The funding is no transaction.');
  const tx = parsed.value;
  const [carrier, escrow, ...others] = tx.outputs;
  const isCarrier = carrier !== undefined && equalBytes(carrier.script, swapCarrier(terms).script);
  if (!isCarrier || others.some(({ script }) => script[0] === OP_RETURN))
    throw mismatch('The funding does not carry the one transfer of the tokens into the escrow.');
  const { script } = swapEscrow(terms, network);
  if (!escrow || !equalBytes(escrow.script, script) || escrow.value !== terms.escrowValue)
    throw mismatch(`Output ${RECEIVER_VOUT} of the funding is not the escrow.`);
  if (tx.inputs.some(({ scriptSig }) => scriptSig.length > 0))
    throw mismatch('The funding spends a coin outside of segwit: its id could change.');
  return {
    txid: toDisplayHash(txidOf(tx)),
    stripped: serializeTransaction(tx, { witness: false }),
  };
}

/** Pages of an escrow's tokens that are read: others may have sent it some. */
const MAX_PAGES = 20;

/**
 * Says whether the escrow has had the tokens for so many blocks: what the buyer waits for before it signs the swap. Believes the service;
 * ask one of your own, or several.
 *
 * @example
 * if (!(await isSwapFunded(client, { terms, funding, network, confirmations: 6 }))) return 'wait';
 */
export async function isSwapFunded(
  client: Client,
  {
    terms,
    funding,
    network,
    confirmations,
  }: { terms: SwapTerms; funding: SwapFunding; network: Network; confirmations: number },
): Promise<boolean> {
  const tx = await getTransaction(client, { txid: funding.txid });
  if (tx.confirmations < confirmations) return false;
  const { address } = swapEscrow(terms, network);
  const now = await readHeld(client, address, terms.tokenId, undefined);
  const height = now.height - confirmations + 1;
  const then = await readHeld(client, address, terms.tokenId, height);
  return now.held >= terms.amount && then.held >= terms.amount;
}

async function readHeld(
  client: Client,
  address: string,
  tokenId: string,
  height: number | undefined,
): Promise<{ held: bigint; height: number }> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const list = await listAddressTokens(client, { address, height, limit: 100, cursor });
    const item = list.items.find(({ token_id }) => token_id === tokenId.toLowerCase());
    const held = item && parseAmount(item.balance, item.decimals);
    if (held?.ok) return { held: held.value, height: list.as_of.height };
    if (list.next_cursor === null) return { held: 0n, height: list.as_of.height };
    cursor = list.next_cursor;
  }
  throw mismatch(`The escrow has more tokens than ${MAX_PAGES} pages list: agree on another one.`);
}
