import { parseHex } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { encodeTokenOperation, type TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { MARKERS } from './markers.ts';
import type { PlannedOutput } from './transaction-plan.ts';
import { WalletError } from './wallet-error.ts';

/** Most parts of a token that there can be. */
const MAX_PARTS = (1n << 63n) - 1n;

/** The output that carries an operation. @throws WalletError `token_invalid` where no payload has room for it */
export function tokenCarrier(operation: TokenOperation): PlannedOutput {
  try {
    return { script: buildCarrier(encodeTokenOperation(operation, MARKERS.token)), value: 0n };
  } catch (cause) {
    throw new WalletError('token_invalid', `The operation has no payload: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

/** The id of a token in hex. @throws WalletError `token_invalid` */
export function readTokenId(text: string): Uint8Array {
  const bytes = parseHex(text.toLowerCase());
  if (bytes.ok && bytes.value.length === 32) return bytes.value;
  throw new WalletError('token_invalid', 'The id of a token is 64 hex digits.');
}

/** @throws WalletError `token_invalid` for an amount that is none */
export function checkParts(amount: bigint, least: bigint): void {
  if (amount >= least && amount <= MAX_PARTS) return;
  throw new WalletError(
    'token_invalid',
    `An amount of ${amount} parts is not between ${least} and 2^63 - 1.`,
  );
}
