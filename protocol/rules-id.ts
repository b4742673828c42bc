import { bytesToHex } from './bytes.ts';
import { type Json, writeCanonicalJson } from './canonical-json.ts';
import { sha256 } from './hash.ts';
import type { CoinProfile } from './profile.ts';

/** The protocols whose state is derived from blocks, and hashed. */
export type HashedProtocol = 'proofs' | 'names' | 'tokens';

/** Of docs/protocols: raised when the same profile gives another state. */
const PROTOCOL_VERSION = 1;

/**
 * All that decides the state of a protocol besides the blocks, as canonical JSON (docs/protocols/hash-chain.md): bytes in hex,
 * amounts in base units as digits. Undefined where the coin does not have the protocol.
 */
export function describeProtocolRules(protocol: HashedProtocol, profile: CoinProfile): string | undefined {
  // How deep an anchor has to be is for those who look at it; it changes no state.
  const rules = protocol === 'proofs' ? { marker: profile.proofs.marker } : profile[protocol];
  if (rules === undefined) return undefined;
  return writeCanonicalJson({
    genesis_hash: profile.genesisHash,
    protocol,
    rules: toJson(rules),
    version: PROTOCOL_VERSION,
  });
}

/** SHA-256 of the rules in hex: services with another one follow other rules, and their hashes say nothing about each other. */
export function findRulesId(protocol: HashedProtocol, profile: CoinProfile): string | undefined {
  const text = describeProtocolRules(protocol, profile);
  return text === undefined ? undefined : bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** Names as a profile file spells them. */
function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toJson(each),
    ]),
  );
}
