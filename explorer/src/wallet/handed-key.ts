/**
 * The public key of a wallet on its way from the search to the page of wallets. It is in memory and nowhere else: an address of a page is
 * kept by the browser's history.
 */

let handed: string | undefined;

/** Keeps a key until the page takes it. */
export function handKey(key: string): void {
  handed = key;
}

/** Gives the key that was handed over, once. */
export function takeHandedKey(): string | undefined {
  const key = handed;
  handed = undefined;
  return key;
}
