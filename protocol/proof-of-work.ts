import { scrypt } from '@noble/hashes/scrypt.js';
import { parseHeader } from './block.ts';
import { sha256d } from './hash.ts';
import { bitsToTarget } from './work.ts';

/**
 * How blocks of a coin prove their work. Block hashes are double SHA-256 on all of them; what has to be below the target
 * differs. `auxpow`: the work is in another chain's block, which 80 bytes of header do not carry.
 */
export type WorkKind = 'sha256d' | 'scrypt' | 'auxpow';

/** By genesis hash, of chains whose rule is known; of all others the caller has to say it. */
const KNOWN: Readonly<Record<string, WorkKind>> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': 'sha256d',
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': 'sha256d',
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': 'sha256d',
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206': 'sha256d',
  '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2': 'scrypt',
  '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0': 'scrypt',
  '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9': 'scrypt',
  '000000000062b72c5e2ceb45fbc8587e807c155b0da735e6483dfba2f0a9c770': 'auxpow',
  '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691': 'auxpow',
};

/**
 * The rule of a chain; undefined where it is not known.
 *
 * @example
 * const verdict = verifyProof(digest, proof, { work: findWorkKind(network.genesisHash) });
 */
export function findWorkKind(genesisHash: string): WorkKind | undefined {
  return KNOWN[genesisHash];
}

/** How the parents of merged-mined chains prove their work, and their own blocks where they have no parent. */
const PARENT_KINDS: Readonly<Record<string, Exclude<WorkKind, 'auxpow'>>> = {
  '000000000062b72c5e2ceb45fbc8587e807c155b0da735e6483dfba2f0a9c770': 'sha256d',
  '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691': 'scrypt',
};

/** By what hash the work of a chain is measured: that of its own headers, or of their parents'. Undefined where it is not known. */
export function findWorkHash(genesisHash: string): Exclude<WorkKind, 'auxpow'> | undefined {
  const kind = KNOWN[genesisHash];
  return kind === 'auxpow' ? PARENT_KINDS[genesisHash] : kind;
}

const BITCOIN_LIMIT = 0xffffn << 208n;
const LITECOIN_LIMIT = (1n << 236n) - 1n;

/** By genesis hash; regression tests of any chain have no limit to speak of. */
const EASIEST: Readonly<Record<string, bigint>> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': BITCOIN_LIMIT,
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': BITCOIN_LIMIT,
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': BITCOIN_LIMIT,
  '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2': LITECOIN_LIMIT,
  '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0': LITECOIN_LIMIT,
};

/**
 * The easiest target that a chain ever allows; undefined where it is not known. A header that names an easier one is none
 * of the chain, and would cost nothing to make.
 *
 * @example
 * const verdict = verifyProof(digest, proof, { work: findWorkKind(genesisHash), easiestTarget: findEasiestTarget(genesisHash) });
 */
export function findEasiestTarget(genesisHash: string): bigint | undefined {
  return EASIEST[genesisHash];
}

/**
 * Whether a header of 80 bytes meets the target that it names itself, which is no easier than allowed.
 *
 * @param worked the header whose hash is the work: that of its parent, where it is merged-mined (`findParentHeader`)
 */
export function hasProofOfWork(
  header: Uint8Array,
  kind: Exclude<WorkKind, 'auxpow'>,
  easiestTarget?: bigint,
  worked = header,
): boolean {
  const parsed = parseHeader(header);
  const target = parsed.ok ? bitsToTarget(parsed.value.bits) : undefined;
  if (target === undefined || (easiestTarget !== undefined && target > easiestTarget)) return false;
  const hash =
    kind === 'sha256d' ? sha256d(worked) : scrypt(worked, worked, { N: 1024, r: 1, p: 1, dkLen: 32 });
  return toNumber(hash) <= target;
}

/** Hashes are little-endian numbers. */
function toNumber(hash: Uint8Array): bigint {
  return hash.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
