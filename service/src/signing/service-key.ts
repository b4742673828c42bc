/** The key by which the service signs what it records, in registry and treasury: made once, kept in a file that only the service reads. */

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Signs for the service. It never signs for a user. */
export type ServiceSigner = {
  /** Hex. */
  readonly publicKey: string;
  /** The Ed25519 signature, hex, of a text as UTF-8. */
  sign(text: string): string;
};

const KEY_FILE = 'registry.key';
const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;
const OTHERS = 0o077;

/** Where the service's key is. */
export function serviceKeyFile(dataDir: string, keyFile: string | undefined): string {
  return keyFile ?? join(dataDir, KEY_FILE);
}

/**
 * Opens the key of a file, or makes one the first time.
 *
 * @throws Error when the file is no key, or others may read it
 */
export function openServiceKey(file: string): ServiceSigner {
  const key = toPrivateKey(readKey(file) ?? makeKey(file));
  return {
    publicKey: publicKeyOf(key),
    // By the platform: a slot of a thousand nodes would take a second otherwise.
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('hex'),
  };
}

/** The public key of a file, hex; undefined when there is none. */
export function findServicePublicKey(file: string): string | undefined {
  const seed = readKey(file);
  return seed === undefined ? undefined : publicKeyOf(toPrivateKey(seed));
}

/** RFC 8410: what stands before the seed of an Ed25519 key. */
const PKCS8_PREFIX = '302e020100300506032b657004220420';

function toPrivateKey(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(PKCS8_PREFIX + seed, 'hex'), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url').toString('hex');
}

function readKey(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // No message shows what is in the file.
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${file} is no key of a service: 64 hex digits.`);
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
    throw new Error(`${file} can be read by others; chmod 600 it.`);
  return text;
}

/** Made beside and linked into its place, so that nobody ever reads half of it. */
function makeKey(file: string): string {
  const seed = randomBytes(32).toString('hex');
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_FOLDER });
  writeFileSync(draft, `${seed}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
    return seed;
  } catch (error) {
    // Another process of this machine was faster.
    const made = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKey(file) : undefined;
    if (made === undefined) throw error;
    return made;
  } finally {
    unlinkSync(draft);
  }
}
