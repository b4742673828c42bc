import { bytesToHex, equalBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation, type TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { MARKERS } from './markers.ts';
import type { Network } from './network.ts';
import type { TransactionReview } from './review-transaction.ts';
import { checkParts, readTokenId, tokenCarrier } from './token-carrier.ts';
import { type PlannedOutput, readAddress, type TransactionPlan } from './transaction-plan.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';

/**
 * Plans the creation of a token. Its id is known once the transaction is built: {@link createdTokenId}.
 *
 * @param parameters.fee - what the token rules ask for a creation, and where it goes; base units
 * @example
 * const plan = planTokenCreate({ terms, issuer, fee: { amount, script } });
 */
export function planTokenCreate({
  terms,
  issuer,
  fee,
}: {
  terms: TokenTerms;
  issuer: WalletAddress;
  fee: { amount: bigint; script: Uint8Array };
}): TransactionPlan {
  const { premine, cap, mintable } = terms;
  checkParts(premine, 0n);
  if (cap !== undefined) checkParts(cap, premine);
  if (!mintable && premine === 0n)
    throw new WalletError('token_invalid', 'A token that cannot be minted needs a premine.');
  return {
    outputs: [tokenCarrier({ kind: 'create', terms }), { script: fee.script, value: fee.amount }],
    sender: issuer,
  };
}

/**
 * Plans minting to an address; amount 0 together with `closes` only closes it for good.
 *
 * @example
 * const plan = planTokenMint({ tokenId, amount: 500n, to: issuer.address, issuer, network });
 */
export function planTokenMint({
  tokenId,
  amount,
  to,
  closes = false,
  issuer,
  network,
}: {
  /** Hex. */
  tokenId: string;
  /** Smallest parts of the token. */
  amount: bigint;
  /** An address. */
  to: string;
  closes?: boolean;
  issuer: WalletAddress;
  network: Network;
}): TransactionPlan {
  checkParts(amount, closes ? 0n : 1n);
  const operation = { kind: 'mint', tokenId: readTokenId(tokenId), closes, toVout: 1, amount } as const;
  return { outputs: [tokenCarrier(operation), receiver(to, network)], sender: issuer };
}

/**
 * Plans a transfer of one token to one or more addresses. Only coins of the holder make it the sender.
 *
 * @example
 * const plan = planTokenTransfer({ tokenId, recipients: [{ to, amount: 120n }], holder, network });
 */
export function planTokenTransfer({
  tokenId,
  recipients,
  holder,
  network,
}: {
  tokenId: string;
  recipients: readonly { to: string; amount: bigint }[];
  holder: WalletAddress;
  network: Network;
}): TransactionPlan {
  if (recipients.length === 0) throw new WalletError('token_invalid', 'A transfer has a recipient.');
  for (const { amount } of recipients) checkParts(amount, 1n);
  // The carrier is output 0.
  const shares = recipients.map(({ amount }, i) => ({ toVout: i + 1, amount }));
  const operation = { kind: 'transfer', tokenId: readTokenId(tokenId), shares } as const;
  return {
    outputs: [tokenCarrier(operation), ...recipients.map(({ to }) => receiver(to, network))],
    sender: holder,
  };
}

/**
 * Plans the burning of tokens: they are gone, and can never be minted again under a cap.
 *
 * @example
 * const plan = planTokenBurn({ tokenId, amount: 100n, holder });
 */
export function planTokenBurn({
  tokenId,
  amount,
  holder,
}: {
  tokenId: string;
  amount: bigint;
  holder: WalletAddress;
}): TransactionPlan {
  checkParts(amount, 1n);
  return { outputs: [tokenCarrier({ kind: 'burn', tokenId: readTokenId(tokenId), amount })], sender: holder };
}

/**
 * Plans to move all tokens of an address to another one: as many as one sweep moves, the oldest first. Which these are the chain
 * decides once it is mined; a preflight says which they would be now.
 *
 * @throws WalletError `token_invalid` where both addresses are one
 * @example
 * const plan = planTokenSweep({ to, holder, network });
 */
export function planTokenSweep({
  to,
  holder,
  network,
}: {
  to: string;
  holder: WalletAddress;
  network: Network;
}): TransactionPlan {
  const recipient = receiver(to, network);
  if (equalBytes(recipient.script, holder.script))
    throw new WalletError('token_invalid', 'A sweep goes to another address than that of the holder.');
  return { outputs: [tokenCarrier({ kind: 'sweep', toVout: 1 }), recipient], sender: holder };
}

/**
 * The id of the token that a transaction creates, before it is signed: it hangs on input 0 and the payload, which a fee
 * bump keeps. Undefined for every other transaction.
 *
 * @example
 * const tokenId = createdTokenId(review, watch.network);
 */
export function createdTokenId({ inputs, outputs }: TransactionReview, network: Network): string | undefined {
  const created = outputs.find(
    ({ payload }) => payload?.protocol === 'token' && payload.operation.kind === 'create',
  );
  const [first] = inputs;
  if (created?.payload?.protocol !== 'token' || first === undefined) return undefined;
  const payload = encodeTokenOperation(created.payload.operation, MARKERS.token);
  const outpoint = { prevTxid: getHexBytes(first.txid).reverse(), prevVout: first.vout };
  return bytesToHex(tokenIdOf(outpoint, payload, genesisPrefix(network)));
}

function receiver(to: string, network: Network): PlannedOutput {
  return { script: readAddress(to, network), value: network.dustLimit };
}
