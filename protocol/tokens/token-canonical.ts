import { concatBytes } from '../bytes.ts';
import { CanonicalBytes, type EventPlace, type StateRow, scriptHash } from '../canonical.ts';
import { encodeLeb128 } from '../leb128.ts';
import { encodeTerms, TOKEN_OPCODES } from './token-operation.ts';
import type { TokenEvent, TokenRecord } from './token-rules.ts';

/** The bytes of a valid event in events(h) (docs/protocols/hash-chain.md). */
export function encodeTokenEvent(place: EventPlace, event: TokenEvent): Uint8Array {
  const bytes = new CanonicalBytes(256);
  writeTokenEvent(bytes, place, event, scriptHash);
  return bytes.finish();
}

/**
 * Writes what {@link encodeTokenEvent} gives.
 *
 * @param hashOf gives the {@link scriptHash} of a script of the event; whoever indexes it has them
 */
export function writeTokenEvent(
  bytes: CanonicalBytes,
  place: EventPlace,
  event: TokenEvent,
  hashOf: (script: Uint8Array) => Uint8Array,
): void {
  bytes.eventHead(place, TOKEN_OPCODES[event.kind]);
  bytes.raw(hashOf(event.sender));
  if (event.kind === 'sweep') {
    bytes.raw(hashOf(event.recipient));
    bytes.integer(event.moved.length);
    for (const { tokenId, amount } of event.moved) {
      bytes.raw(tokenId);
      bytes.integer(amount);
    }
    return;
  }
  bytes.raw(event.tokenId);
  switch (event.kind) {
    case 'create':
      for (const field of encodeTerms(event.terms)) bytes.raw(field);
      return;
    case 'mint':
      bytes.integer(event.closes ? 1 : 0);
      bytes.raw(hashOf(event.recipient));
      bytes.integer(event.amount);
      return;
    case 'transfer':
      bytes.integer(event.shares.length);
      for (const { script, amount } of event.shares) {
        bytes.raw(hashOf(script));
        bytes.integer(amount);
      }
      return;
    case 'burn':
      bytes.integer(event.amount);
  }
}

/** The row of a token in the live state. */
export function tokenStateRow(token: TokenRecord): StateRow {
  const value = concatBytes(
    scriptHash(token.issuer),
    encodeLeb128(token.createdHeight),
    ...encodeTerms(token.terms),
    Uint8Array.of(token.mintingOpen ? 1 : 0),
    encodeLeb128(token.minted),
    encodeLeb128(token.burned),
  );
  return { kind: 1, key: token.tokenId, value };
}

/** The row of a positive balance in the live state; of a zero balance there is none. */
export function balanceStateRow(tokenId: Uint8Array, holderScriptHash: Uint8Array, amount: bigint): StateRow {
  return { kind: 2, key: concatBytes(tokenId, holderScriptHash), value: encodeLeb128(amount) };
}
