import type {
  ListedNameJson,
  MomentJson,
  NameOperationJson,
  NameStateJson,
  PartyJson,
} from '@coinfront/api/names.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import { NAME_REASONS, type NameReason } from '@coinfront/protocol/names/name-reasons.ts';
import { nameText } from '@coinfront/protocol/names/name-syntax.ts';
import type { CoinProfile, NameRules } from '@coinfront/protocol/profile.ts';
import { measureBlockInterval } from '../../chain/block-interval.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { createPlaceReader } from '../../chain/tx-place.ts';
import type { ExpiryRange, OperationRow, StoredName } from './name-store.ts';

/** Scripts in lists that are longer are left out: a page has a hundred. */
const MAX_LISTED_SCRIPT = 1_000;

/** A height with its time: the header's, or an estimate from the interval observed when the block is still to come. */
export async function describeMoment(
  view: ChainView,
  tip: BlockRecord,
  height: number,
  { blockIntervalSeconds }: Pick<CoinProfile, 'blockIntervalSeconds'>,
): Promise<MomentJson> {
  const block = await view.nameBlockAt(height);
  const seconds =
    block?.time ??
    tip.time +
      Math.round((height - tip.height) * (await measureBlockInterval(view, tip, blockIntervalSeconds)));
  return { height, time: new Date(seconds * 1000).toISOString(), estimated: block === undefined };
}

/** A script with its address. */
export function describeParty(
  script: Uint8Array,
  profile: CoinProfile,
  maxLength = Number.POSITIVE_INFINITY,
): PartyJson {
  return {
    address: encodeAddress(script, profile) ?? null,
    script: script.length > maxLength ? null : bytesToHex(script),
  };
}

/** A script with its address, in a list. */
export function describeListedParty(script: Uint8Array, profile: CoinProfile): PartyJson {
  return describeParty(script, profile, MAX_LISTED_SCRIPT);
}

/** A name as lists of many owners show it. */
export async function describeListed(
  view: ChainView,
  tip: BlockRecord,
  record: StoredName,
  { rules, profile }: { rules: NameRules; profile: CoinProfile },
): Promise<ListedNameJson> {
  return {
    name: record.name,
    state: stateOfName(record.expiry, tip.height, rules),
    resolves: doesNameResolve(record, tip.height),
    owner: describeListedParty(record.owner, profile),
    registered_by_owner: record.isRegistrant,
    expiry: await describeMoment(view, tip, record.expiry, profile),
  };
}

/** The expiries of the names in a state after the block of the tip: {@link stateOfName}, the other way round. */
export function expiriesOfState(state: NameStateJson, tipHeight: number, rules: NameRules): ExpiryRange {
  const grace = tipHeight - rules.graceBlocks;
  const premium = grace - rules.premiumBlocks;
  switch (state) {
    case 'registered':
      return { from: tipHeight + 1, to: Number.MAX_SAFE_INTEGER };
    case 'grace':
      return { from: grace + 1, to: tipHeight };
    case 'premium':
      return { from: premium + 1, to: grace };
    case 'lapsed':
      return { from: 0, to: premium };
  }
}

/** The state of a registered name after the block of the tip: as the next block will find it. */
export function stateOfName(expiry: number, tipHeight: number, rules: NameRules): NameStateJson {
  const { graceBlocks, premiumBlocks } = rules;
  if (tipHeight < expiry) return 'registered';
  // Of the tip, like all else in the answer; what the next block may do is said by `/availability`.
  if (tipHeight < expiry + graceBlocks) return 'grace';
  return tipHeight < expiry + graceBlocks + premiumBlocks ? 'premium' : 'lapsed';
}

/** Operations with their transactions and times. */
export async function serialiseOperations(
  view: ChainView,
  rows: readonly OperationRow[],
  profile: CoinProfile,
): Promise<NameOperationJson[]> {
  const readPlace = createPlaceReader(view);
  const items: NameOperationJson[] = [];
  for (const row of rows) {
    const { block, txid } = await readPlace(row.height, row.position);
    const party = (script: Uint8Array | null) =>
      script === null ? null : describeListedParty(script, profile);
    items.push({
      txid: toDisplayHash(txid),
      height: row.height,
      position: row.position,
      time: new Date(block.time * 1000).toISOString(),
      kind: row.kind as NameOperationJson['kind'],
      name: row.name === null ? null : nameText(row.name),
      valid: row.reason === null,
      reason: row.reason as NameReason | null,
      reason_text: row.reason === null ? null : NAME_REASONS[row.reason as NameReason],
      sender: party(row.sender),
      commitment: row.commitment === null ? null : bytesToHex(row.commitment),
      new_owner: party(row.owner),
      periods: row.periods,
      expiry: row.expiry,
      paid: row.paid === null ? null : formatAmount(BigInt(row.paid), profile.decimals),
    });
  }
  return items;
}
