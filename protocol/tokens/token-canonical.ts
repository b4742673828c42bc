import { concatBytes } from '../bytes.ts';
import { type EventField, type EventPlace, eventBytes, type StateRow, scriptHash } from '../canonical.ts';
import { encodeLeb128 } from '../leb128.ts';
import { encodeTerms, TOKEN_OPCODES } from './token-operation.ts';
import type { TokenEvent, TokenRecord } from './token-rules.ts';

/** Gives the SHA-256 of a script; whoever knows it already need not hash. */
export type HashScript = (script: Uint8Array) => Uint8Array;

/** The bytes of a valid event in events(h) (docs/protocols/hash-chain.md). */
export function encodeTokenEvent(
  place: EventPlace,
  event: TokenEvent,
  hashScript: HashScript = scriptHash,
): Uint8Array {
  const { kind, sender, tokenId } = event;
  const fields = encodeFields(event, hashScript);
  return eventBytes(place, TOKEN_OPCODES[kind], hashScript(sender), tokenId, ...fields);
}

function encodeFields(event: TokenEvent, hashScript: HashScript): EventField[] {
  switch (event.kind) {
    case 'create':
      return encodeTerms(event.terms);
    case 'mint':
      return [event.closes ? 1 : 0, hashScript(event.recipient), event.amount];
    case 'transfer': {
      const fields: EventField[] = [event.shares.length];
      for (const { script, amount } of event.shares) fields.push(hashScript(script), amount);
      return fields;
    }
    case 'burn':
      return [event.amount];
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
