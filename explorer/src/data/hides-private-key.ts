import { coin } from './coin.ts';

/** Anything that the chain knows is one word; only longer texts can be a mnemonic, only words of some length a key. */
export const shortestKey = 40;

/** Whether a text that was typed or pasted holds a private key: it must not even be sent for being refused. */
export async function hidesPrivateKey(text: string): Promise<boolean> {
  if (text.length < shortestKey) return false;
  const { findTypedKey } = await import('./find-typed-key.ts');
  return findTypedKey(text, { wifVersion: coin.get()?.wif_version ?? 0 }) !== undefined;
}
