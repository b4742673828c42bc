import { fromHex, sha256, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { verifyEd25519 } from './ed25519.ts';

/** SHA-256 of the RFC 8785 text of an object, in hex. */
export function hashText(value: unknown): string {
  return toHex(sha256(Buffer.from(writeCanonicalJson(value))));
}

/** Whether a key signed a hash: in a line below the one that says what is signed, such as `node registry receipt, version 1`. */
export function isSigned(what: string, hash: string, signature: string, key: string): boolean {
  return verifyEd25519(fromHex(key), Buffer.from(`${what}\n${hash}`), fromHex(signature));
}

/** The root of RFC 6962 (2.1) over entries, in hex. */
export function findLogRoot(entries: readonly Uint8Array[]): string {
  // Full subtrees, the largest first: how the entries up to here divide, as the bits of their number.
  const roots: { size: number; root: Uint8Array }[] = [];
  const join = (): void => {
    const [left, right] = roots.splice(-2);
    const root = sha256(Uint8Array.of(1), left!.root, right!.root);
    roots.push({ size: left!.size + right!.size, root });
  };
  for (const entry of entries) {
    roots.push({ size: 1, root: sha256(Uint8Array.of(0), entry) });
    while (roots.length > 1 && roots.at(-1)!.size === roots.at(-2)!.size) join();
  }
  while (roots.length > 1) join();
  return toHex(roots[0]?.root ?? sha256());
}
