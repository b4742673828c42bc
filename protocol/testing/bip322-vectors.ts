import { existsSync, readFileSync } from 'node:fs';

/** A signature that BIP-322's files give as good, by its private keys. */
export type Bip322Vector = {
  message: string;
  address: string;
  type: string;
  private_keys: string[];
  bip322_signatures: string[];
  tx_version?: number;
  lock_time?: number;
  sequence?: number;
};

/** The two files of vectors that bitcoin/bips publishes with BIP-322. */
export type Bip322Vectors = {
  tx_hashes: Array<{
    message: string;
    address: string;
    message_hash: string;
    to_spend_tx_hash: string;
    to_sign_tx_hash: string;
  }>;
  simple: Bip322Vector[];
  full: Bip322Vector[];
  proof_of_funds: Bip322Vector[];
  error: Array<{ description: string; message: string; address: string; signature: string }>;
};

const FOLDER = new URL('../../../shared/vectors/', import.meta.url);

/** What a test says when it is skipped for want of the shared vectors. */
export const MISSING_BIP322_VECTORS =
  'skipped: the shared vectors (../shared/vectors/bip322-*.json) are not beside this checkout';

/** Both files in one; undefined where they are not there. */
export function findBip322Vectors(): Bip322Vectors | undefined {
  const [basic, generated] = ['basic', 'generated'].map((name) => {
    const file = new URL(`bip322-${name}.json`, FOLDER);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Bip322Vectors>) : undefined;
  });
  if (basic === undefined || generated === undefined) return undefined;
  return {
    tx_hashes: basic.tx_hashes ?? [],
    simple: [...(basic.simple ?? []), ...(generated.simple ?? [])],
    full: [...(basic.full ?? []), ...(generated.full ?? [])],
    proof_of_funds: [...(basic.proof_of_funds ?? []), ...(generated.proof_of_funds ?? [])],
    error: [...(basic.error ?? []), ...(generated.error ?? [])],
  };
}
