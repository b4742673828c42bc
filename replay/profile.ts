import { findScript } from './address.ts';
import { flip, fromHex, sha256, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';

/** What the rules of names hang on: `docs/coin-profile.md`. Amounts in base units. */
export type NameRules = {
  readonly marker: Uint8Array;
  readonly activationHeight: number;
  readonly feeScript: Uint8Array;
  readonly tlds: readonly string[];
  readonly minLabelLength: number;
  readonly commitMaturity: number;
  readonly commitLifetime: number;
  readonly period: number;
  readonly maxPeriods: number;
  readonly grace: number;
  readonly premium: number;
  readonly premiumStart: bigint;
  readonly prices: readonly {
    readonly from: number;
    readonly byLength: readonly { readonly maxLength: number; readonly price: bigint }[];
  }[];
  /** The first block that can have reverse records; undefined where none can. */
  readonly reverseFrom: number | undefined;
  /** The first block that can have text records. */
  readonly recordsFrom: number | undefined;
};

export type TokenRules = {
  readonly marker: Uint8Array;
  readonly activationHeight: number;
  readonly feeScript: Uint8Array;
  readonly fees: readonly { readonly from: number; readonly fee: bigint }[];
  /** Infinite where there never are sweeps. */
  readonly sweepHeight: number;
};

/** A coin, as far as the protocols hang on it. */
export type Coin = {
  readonly id: string;
  /** Internal byte order. */
  readonly genesisHash: Uint8Array;
  readonly auxpow: boolean;
  readonly decimals: number;
  readonly proofs: { readonly marker: Uint8Array };
  readonly names: NameRules | undefined;
  readonly tokens: TokenRules | undefined;
  /** `isWhole`: these are all scripts of the treasury, which may have an account of them besides. */
  readonly treasury: { readonly scripts: readonly Uint8Array[]; readonly isWhole: boolean } | undefined;
  readonly rulesIds: Readonly<Record<'proofs' | 'names' | 'tokens', string | undefined>>;
};

// biome-ignore lint/suspicious/noExplicitAny: a file of the operator's; what is missing in it fails where it is read
type Json = any;

/** Fields that are amounts of coins. */
const AMOUNTS = ['premium_start', 'per_period', 'fee'];

/** Reads a coin profile. @throws Error where it lacks something. */
export function readCoin(profile: Json): Coin {
  const { decimals } = profile;
  const names = profile.names && toBaseUnits(profile.names, decimals);
  const tokens = profile.tokens && toBaseUnits(profile.tokens, decimals);
  const idOf = (protocol: string, rules: Json): string | undefined =>
    rules && findRulesId(profile.genesis_hash, protocol, rules);
  return {
    id: profile.id,
    genesisHash: flip(fromHex(profile.genesis_hash, 32)),
    auxpow: profile.auxpow,
    decimals,
    proofs: { marker: fromHex(profile.proofs.marker, 4) },
    names: names ? readNameRules(names) : undefined,
    tokens: tokens ? readTokenRules(tokens) : undefined,
    treasury: profile.treasury ? readTreasury(profile) : undefined,
    rulesIds: {
      proofs: idOf('proofs', { marker: profile.proofs.marker }),
      names: idOf('names', names),
      tokens: idOf('tokens', tokens),
    },
  };
}

function readTreasury(profile: Json): Coin['treasury'] {
  const { address, other_addresses: others = [], account } = profile.treasury;
  const scripts = [address, ...(others ?? [])].map((each) => findScript(each, profile));
  return { scripts, isWhole: !account };
}

/** The rules of names from their form in a rules id, whose amounts are base units. */
export function readNameRules(rules: Json): NameRules {
  return {
    marker: fromHex(rules.marker, 4),
    activationHeight: rules.activation_height,
    feeScript: fromHex(rules.fee_script),
    tlds: rules.tlds,
    minLabelLength: rules.min_label_length,
    commitMaturity: rules.commit_maturity_blocks,
    commitLifetime: rules.commit_lifetime_blocks,
    period: rules.period_blocks,
    maxPeriods: rules.max_periods,
    grace: rules.grace_blocks,
    premium: rules.premium_blocks,
    premiumStart: BigInt(rules.premium_start),
    prices: rules.prices.map((row: Json) => ({
      from: row.from_height,
      byLength: row.by_length.map((each: Json) => ({
        maxLength: each.max_length,
        price: BigInt(each.per_period),
      })),
    })),
    reverseFrom: rules.reverse_activation_height,
    recordsFrom: rules.records_activation_height,
  };
}

/** The rules of tokens from their form in a rules id. */
export function readTokenRules(rules: Json): TokenRules {
  return {
    marker: fromHex(rules.marker, 4),
    activationHeight: rules.activation_height,
    feeScript: fromHex(rules.fee_script),
    sweepHeight: rules.sweep_activation_height ?? Number.POSITIVE_INFINITY,
    fees: rules.create_fees.map((row: Json) => ({ from: row.from_height, fee: BigInt(row.fee) })),
  };
}

/** The last row at or below a height. */
export function findRow<T extends { readonly from: number }>(rows: readonly T[], height: number): T {
  const row = rows.findLast(({ from }) => from <= height);
  if (row === undefined) throw new Error(`the profile has no row for height ${height}`);
  return row;
}

/** `rules_id`. */
export function findRulesId(genesisHash: string, protocol: string, rules: Json): string {
  return toHex(sha256(Buffer.from(writeRulesText(genesisHash, protocol, rules))));
}

/** The text whose hash `rules_id` is. */
export function writeRulesText(genesisHash: string, protocol: string, rules: Json): string {
  return writeCanonicalJson({ genesis_hash: genesisHash, protocol, rules, version: 1 });
}

/** Base units of a decimal amount. */
export function readAmount(text: string, decimals: number): bigint {
  const match = /^(-?)(\d{1,20})(?:\.(\d+))?$/.exec(text);
  if (match === null || (match[3] ?? '').length > decimals) throw new Error(`no amount: ${text}`);
  const units = BigInt(match[2]! + (match[3] ?? '').padEnd(decimals, '0'));
  return match[1] === '-' ? -units : units;
}

function toBaseUnits(value: Json, decimals: number): Json {
  if (Array.isArray(value)) return value.map((each) => toBaseUnits(each, decimals));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      AMOUNTS.includes(name) ? String(readAmount(each as string, decimals)) : toBaseUnits(each, decimals),
    ]),
  );
}
