/** A secret at rest: scrypt makes a key of the passphrase, AES-256-GCM seals with it. */

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { CliError } from '../shell/cli-error.ts';
import { exitCodes } from '../shell/exit-codes.ts';

/** As it is in the wallet's file. Bytes are base64. */
export type SealedSecret = {
  readonly kdf: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly cipher: 'aes-256-gcm';
  readonly nonce: string;
  /** With the 16 bytes of the tag behind. */
  readonly ciphertext: string;
};

/** 128 MiB and about half a second for each guess: OWASP's first choice for scrypt. */
const usualCost = { n: 2 ** 17, r: 8, p: 1 } as const;
type Cost = { readonly n: number; readonly r: number; readonly p: number };
/** A file from elsewhere may ask for more work, but not for all of the machine. */
const mostMemoryBytes = 1024 ** 3;
const tagBytes = 16;

const deriveBytes = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * Seals bytes for a passphrase. `context` is not stored, and must be the same to open them: what they belong to.
 *
 * @param cost of scrypt; a lower one than usual is for tests alone
 */
export async function sealSecret(
  secret: Uint8Array,
  passphrase: string,
  context: string,
  cost: Cost = usualCost,
): Promise<SealedSecret> {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const key = await deriveKey(passphrase, salt, cost);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  key.fill(0);
  return {
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    ciphertext: sealed.toString('base64'),
  };
}

/**
 * Opens what {@link sealSecret} sealed.
 *
 * @throws CliError `passphrase_wrong`, also for bytes or a context that were changed; `wallet_file_invalid`
 */
export async function openSecret(sealed: SealedSecret, passphrase: string, context: string): Promise<Buffer> {
  const { n, r, p } = sealed;
  const isSound =
    sealed.kdf === 'scrypt' &&
    sealed.cipher === 'aes-256-gcm' &&
    [n, r, p].every((each) => Number.isSafeInteger(each) && each > 0) &&
    Number.isInteger(Math.log2(n)) &&
    128 * n * r <= mostMemoryBytes &&
    p <= 16;
  if (!isSound) {
    throw new CliError(
      'wallet_file_invalid',
      'The wallet is sealed in a way that is not known.',
      exitCodes.locked,
    );
  }
  const bytes = Buffer.from(sealed.ciphertext, 'base64');
  const key = await deriveKey(passphrase, Buffer.from(sealed.salt, 'base64'), { n, r, p });
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    const detail = 'The passphrase is not that of this wallet, or its file was changed.';
    throw new CliError('passphrase_wrong', detail, exitCodes.locked);
  } finally {
    key.fill(0);
  }
}

function deriveKey(passphrase: string, salt: Buffer, { n, r, p }: Cost): Promise<Buffer> {
  // One text, however a keyboard composes its letters.
  const text = passphrase.normalize('NFKC');
  return deriveBytes(text, salt, 32, { N: n, r, p, maxmem: 2 * mostMemoryBytes });
}
