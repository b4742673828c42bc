import { concatBytes } from '../bytes.ts';
import { type EventPlace, eventBytes, prefixed, type StateRow, scriptHash } from '../canonical.ts';
import { encodeLeb128 } from '../leb128.ts';
import type { NameRules } from '../profile.ts';
import { NAME_OPCODES } from './name-operation.ts';
import type { CommitRecord, NameEvent, NameRecord, RecordsRecord, ReverseRecord } from './name-rules.ts';
import { nameBytes } from './name-syntax.ts';

/** The bytes of a valid event in events(h) (docs/protocols/hash-chain.md). */
export function encodeNameEvent(place: EventPlace, event: NameEvent): Uint8Array {
  return eventBytes(place, NAME_OPCODES[event.kind], scriptHash(event.sender), ...encodeFields(event));
}

function encodeFields(event: NameEvent): Uint8Array[] {
  switch (event.kind) {
    case 'commit':
      return [event.commitment, encodeLeb128(event.countsFrom)];
    case 'reverse':
      return [prefixed(nameBytes(event.name))];
    case 'records':
      return [prefixed(nameBytes(event.name)), event.hash];
    case 'transfer':
      return [prefixed(nameBytes(event.name)), scriptHash(event.owner)];
    default:
      return [prefixed(nameBytes(event.name)), encodeLeb128(event.periods), encodeLeb128(event.expiry)];
  }
}

/** The row of a name in the live state. */
export function nameStateRow({ name, owner, registeredHeight, expiry }: NameRecord): StateRow {
  const value = concatBytes(scriptHash(owner), encodeLeb128(registeredHeight), encodeLeb128(expiry));
  return { kind: 1, key: nameBytes(name), value };
}

/** The row of a commitment in the live state. */
export function commitStateRow({ commitment, height }: CommitRecord): StateRow {
  return { kind: 2, key: commitment, value: encodeLeb128(height) };
}

/** The row of a reverse record in the live state. */
export function reverseStateRow({ owner, name }: ReverseRecord): StateRow {
  return { kind: 3, key: scriptHash(owner), value: prefixed(nameBytes(name)) };
}

/** The row of a name's text records in the live state. */
export function recordsStateRow({ name, hash }: RecordsRecord): StateRow {
  return { kind: 4, key: nameBytes(name), value: hash };
}

/** Whether a name's record is live after the block of `height`: it makes a difference to a later block. */
export function isLiveName({ expiry }: NameRecord, height: number, rules: NameRules): boolean {
  return height + 1 < expiry + rules.graceBlocks + rules.premiumBlocks;
}

/** Whether a commitment is live after the block of `height`: a later block can reveal it. */
export function isLiveCommit(commit: CommitRecord, height: number, rules: NameRules): boolean {
  return height + 1 - commit.height <= rules.commitLifetimeBlocks;
}

/** Whether what the owner of a name said with it is live after the block of `height`: the name resolves or can be renewed. */
export function isLiveWord({ expiry }: NameRecord, height: number, rules: NameRules): boolean {
  return height + 1 < expiry + rules.graceBlocks;
}
