import { bytesToHex, parseHex } from '@coinfront/protocol/bytes.ts';
import { base64 } from '@scure/base';
import { parsePsbt } from './review-transaction.ts';
import { WalletError } from './wallet-error.ts';

const MAX_CHARS = 16_000_000;

/**
 * A PSBT as text, for files, QR codes and other wallets.
 *
 * @example
 * const text = writePsbt(psbt);
 */
export function writePsbt(psbt: Uint8Array, encoding: 'base64' | 'hex' = 'base64'): string {
  return encoding === 'hex' ? bytesToHex(psbt) : base64.encode(psbt);
}

/**
 * Reads a PSBT from base64 or hex; spaces and line breaks do not count.
 *
 * @throws WalletError `psbt_invalid`
 * @example
 * const review = reviewTransaction(watch, readPsbt(text));
 */
export function readPsbt(text: string): Uint8Array {
  if (text.length > MAX_CHARS)
    throw new WalletError('psbt_invalid', `A text of ${text.length} characters is not read.`);
  const bare = text.replace(/\s+/g, '');
  const psbt = decode(bare);
  if (psbt === undefined) throw new WalletError('psbt_invalid', 'A PSBT is written as base64 or hex.');
  parsePsbt(psbt);
  return psbt;
}

function decode(text: string): Uint8Array | undefined {
  const hex = parseHex(text);
  if (hex.ok) return hex.value;
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}
