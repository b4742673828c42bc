import type { MessageVerdict } from '@coinfront/protocol/messages/verdict.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import type { Network } from '../wallet/network.ts';

export type { MessageVerdict };

/**
 * Verifies offline that the holder of an address signed a message: BIP-137 for P2PKH, BIP-322 for all others. No input
 * throws. A signature with a time lock is not simply valid: `state` tells it from a wrong one.
 *
 * @example
 * const verdict = verifyMessage(watch.network, { address, message, signature });
 * if (!verdict.ok) show(verdict.reason);
 */
export function verifyMessage(
  network: Pick<Network, 'address' | 'messageMagic'>,
  { address, message, signature }: { address: string; message: string; signature: string },
): MessageVerdict {
  return verifySignedMessage(address, message, signature, network);
}
