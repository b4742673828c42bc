import { parseHex } from '@coinfront/protocol/bytes.ts';
import { anchorScript, DIGEST_BYTES } from '@coinfront/protocol/proofs/anchor.ts';
import { MARKERS } from './markers.ts';
import type { TransactionPlan } from './transaction-plan.ts';
import { WalletError } from './wallet-error.ts';

/**
 * Plans a transaction of one's own that anchors one or more digests, for who does not want to ask the service's wallet.
 *
 * @param digests - SHA-256, hex; nodes relay one data carrier a transaction unless they are of a newer kind
 * @throws WalletError `digest_invalid`
 * @example
 * const plan = planAnchor([await hashFile(file)]);
 */
export function planAnchor(digests: readonly string[]): TransactionPlan {
  if (digests.length === 0) throw new WalletError('digest_invalid', 'There is nothing to anchor.');
  const outputs = digests.map((digest) => {
    const bytes = parseHex(digest.toLowerCase());
    if (!bytes.ok || bytes.value.length !== DIGEST_BYTES) {
      throw new WalletError('digest_invalid', 'A SHA-256 digest is 64 hex digits.');
    }
    return { script: anchorScript(bytes.value, MARKERS.proof), value: 0n };
  });
  return { outputs };
}
