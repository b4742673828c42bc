import { concat, fromHex, sha256, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { verifyEd25519 } from './ed25519.ts';

/** What the registry signs: a line that says what it is, and the hash of its text. */
export type SignedKind = 'receipt' | 'epoch';

/** SHA-256 of the RFC 8785 text of an object, in hex. */
export function hashText(value: unknown): string {
  return toHex(sha256(Buffer.from(writeCanonicalJson(value))));
}

/** Whether a registry signed the hash of a receipt or of an epoch's summary. */
export function isSigned(kind: SignedKind, hash: string, signature: string, key: string): boolean {
  const message = Buffer.from(`node registry ${kind}, version 1\n${hash}`);
  return verifyEd25519(fromHex(key), message, fromHex(signature));
}

/** The root of RFC 6962 (2.1) over the hashes of receipts, in hex. */
export function findLogRoot(hashes: readonly string[]): string {
  // Full subtrees, the largest first: how the hashes up to here divide, as the bits of their number.
  const roots: { size: number; root: Uint8Array }[] = [];
  const join = (): void => {
    const [left, right] = roots.splice(-2);
    const root = sha256(concat(Uint8Array.of(1), left!.root, right!.root));
    roots.push({ size: left!.size + right!.size, root });
  };
  for (const hash of hashes) {
    roots.push({ size: 1, root: sha256(concat(Uint8Array.of(0), fromHex(hash))) });
    while (roots.length > 1 && roots.at(-1)!.size === roots.at(-2)!.size) join();
  }
  while (roots.length > 1) join();
  return toHex(roots[0]?.root ?? sha256());
}
