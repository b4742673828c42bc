import Value from 'typebox/value';
import { decodeAddress } from './address.ts';
import { parseAmount } from './amount.ts';
import { bytesToHex, getHexBytes } from './bytes.ts';
import { type ProfileJson, profileSchema } from './profile-schema.ts';
import { fail, ok, type Result } from './result.ts';
import { describeFaults } from './schema-faults.ts';

/** When new coins come: `halving` as in Bitcoin, or a `table` with undefined where the amount is not fixed by rule. */
export type SubsidySchedule =
  | { kind: 'halving'; initial: bigint; intervalBlocks: number }
  | { kind: 'table'; steps: { fromHeight: number; subsidy: bigint | undefined }[] };

/** What registering a name costs from a height on: the first row whose `maxLength` is not below the label's length. */
export type NamePrices = { fromHeight: number; byLength: { maxLength: number; perPeriod: bigint }[] };

/** Rules of the name registry (docs/coin-profile.md). Amounts in base units, durations in blocks. */
export type NameRules = {
  marker: Uint8Array;
  activationHeight: number;
  feeScript: Uint8Array;
  tlds: string[];
  minLabelLength: number;
  commitMaturityBlocks: number;
  commitLifetimeBlocks: number;
  periodBlocks: number;
  maxPeriods: number;
  graceBlocks: number;
  premiumBlocks: number;
  premiumStart: bigint;
  prices: NamePrices[];
  /** The first block that can set reverse records; absent where none ever can, so that rules of before keep their id. */
  reverseActivationHeight?: number;
  /** The first block that can set text records; absent where none ever can. */
  recordsActivationHeight?: number;
};

/** Rules of the token protocol. Fees in base units. */
export type TokenRules = {
  marker: Uint8Array;
  activationHeight: number;
  feeScript: Uint8Array;
  createFees: { fromHeight: number; fee: bigint }[];
  /** The first block that can have sweeps; absent where none ever can, so that rules of before keep their id. */
  sweepActivationHeight?: number;
};

/** The main public pool: how its blocks are known, and the split it has published. */
export type PoolProfile = {
  tag: string;
  payoutScripts: Uint8Array[];
  minerPercent: number;
  operatorPercent: number;
  stratumHost: string;
  stratumPort: number;
};

/** The address forms of a coin; the first version of each list is the one that is written. */
export type AddressForms = {
  p2pkhVersions: number[];
  p2shVersions: number[];
  bech32Hrp: string | undefined;
};

/**
 * What a coin is, read from its profile file. Amounts are bigint base units, `genesisHash` and `p2pMagic` are
 * hex as people write them, all times and lengths carry their unit in the name.
 */
export type CoinProfile = {
  id: string;
  name: string;
  ticker: string;
  decimals: number;
  /** The node's own word for its chain: main, test, regtest. */
  chain: string;
  genesisHash: string;
  uriScheme: string;
  address: AddressForms;
  wifVersion: number;
  extendedPublicVersion: number;
  extendedPrivateVersion: number;
  bip44CoinType: number;
  messageMagic: string;
  p2pMagic: string;
  p2pPort: number;
  rpcPort: number;
  blockIntervalSeconds: number;
  subsidy: SubsidySchedule;
  /** A coinbase of height h can be spent in blocks from h + this on: 100 for Bitcoin. */
  coinbaseMaturity: number;
  /** Outputs below it, in base units, are not relayed: what is built here never has one. */
  dustLimit: bigint;
  auxpow: boolean;
  proofs: { marker: Uint8Array; finalConfirmations: number };
  names: NameRules | undefined;
  tokens: TokenRules | undefined;
  treasury: TreasuryProfile | undefined;
  /**
   * Payments up to `zeroConfMax` base units may be settled by the mempool, with `zeroConfReplaceable` also by what may be
   * replaced there (BIP-125); undefined: none may.
   */
  payments: { zeroConfMax: bigint; zeroConfReplaceable: boolean } | undefined;
  pool: PoolProfile | undefined;
  releasesManifest: string | undefined;
};

/** Where contributions are paid, and when they count. */
export type TreasuryProfile = {
  /** First bytes of the payload that names an intent. */
  marker: Uint8Array;
  address: string;
  script: Uint8Array;
  /** Of further addresses of the same wallet, such as those that get its change. */
  otherScripts: readonly Uint8Array[];
  /** The wallet, by its extended public key or descriptor: all its addresses are the treasury's. */
  account: { key: string; gapLimit: number } | undefined;
  /** Confirmations from which a contribution is verified. */
  confirmations: number;
};

const DEFAULT_TREASURY_CONFIRMATIONS = 6;
const DEFAULT_GAP_LIMIT = 20;

/** A carrier has 80 bytes: marker, opcode, a hash of 32, a label of 32 and a full stop leave these for the ending. */
const MOST_RECORDED_TLD = 10;

/** Above the dust limits of Bitcoin and Litecoin, in base units. */
const DEFAULT_DUST_LIMIT = 6_000n;

/** What stands in a profile where only the operator knows the value. */
export const PLACEHOLDER = 'FILL_ME';

/** Paths (as `names.tlds.0`) of the values that an operator still has to fill. Works on any JSON. */
export function findPlaceholders(json: unknown, path = ''): string[] {
  if (json === PLACEHOLDER) return [path];
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) =>
    findPlaceholders(value, path ? `${path}.${key}` : key),
  );
}

/**
 * Reads a profile file's JSON. Fails, naming every field at fault, on placeholders, on what does not fit the
 * schema, and on values that contradict one another.
 */
export function parseProfile(json: unknown): Result<CoinProfile> {
  const placeholders = findPlaceholders(json);
  if (placeholders.length > 0)
    return fail(`coin profile still has to be filled in: ${placeholders.join(', ')}`);
  const errors = Value.Errors(profileSchema, json);
  if (errors.length > 0) {
    const faults = describeFaults(profileSchema, json, errors.slice(0, 10), 'it');
    return fail(`coin profile is malformed: ${faults.join('; ')}`);
  }
  const faults: string[] = [];
  const profile = mapProfile(json as ProfileJson, faults);
  collectContradictions(profile, faults);
  return faults.length > 0 ? fail(`coin profile is malformed: ${faults.join('; ')}`) : ok(profile);
}

function mapProfile(json: ProfileJson, faults: string[]): CoinProfile {
  const amount = (text: string): bigint => {
    const parsed = parseAmount(text, json.decimals);
    if (!parsed.ok) faults.push(parsed.reason);
    return parsed.ok ? parsed.value : 0n;
  };
  const { names, tokens, treasury, pool, subsidy } = json;
  const address = {
    p2pkhVersions: json.p2pkh_versions,
    p2shVersions: json.p2sh_versions,
    bech32Hrp: json.bech32_hrp ?? undefined,
  };
  const treasuryAddress = treasury && decodeAddress(treasury.address, { address });
  if (treasuryAddress && !treasuryAddress.ok) faults.push(`treasury.address: ${treasuryAddress.reason}`);
  const otherScripts = (treasury?.other_addresses ?? []).flatMap((text, i) => {
    const decoded = decodeAddress(text, { address });
    if (!decoded.ok) faults.push(`treasury.other_addresses.${i}: ${decoded.reason}`);
    return decoded.ok ? [decoded.value.script] : [];
  });

  return {
    id: json.id,
    name: json.name,
    ticker: json.ticker,
    decimals: json.decimals,
    chain: json.chain,
    genesisHash: json.genesis_hash,
    uriScheme: json.uri_scheme,
    address,
    wifVersion: json.wif_version,
    extendedPublicVersion: json.extended_public_version,
    extendedPrivateVersion: json.extended_private_version,
    bip44CoinType: json.bip44_coin_type,
    messageMagic: json.message_magic,
    p2pMagic: json.p2p_magic,
    p2pPort: json.p2p_port,
    rpcPort: json.rpc_port,
    blockIntervalSeconds: json.block_interval_seconds,
    subsidy:
      subsidy.kind === 'halving'
        ? { kind: 'halving', initial: amount(subsidy.initial), intervalBlocks: subsidy.interval_blocks }
        : {
            kind: 'table',
            steps: subsidy.steps.map((step) => ({
              fromHeight: step.from_height,
              subsidy: step.subsidy === null ? undefined : amount(step.subsidy),
            })),
          },
    coinbaseMaturity: json.coinbase_maturity,
    dustLimit: json.dust_limit === undefined ? DEFAULT_DUST_LIMIT : amount(json.dust_limit),
    auxpow: json.auxpow,
    proofs: {
      marker: getHexBytes(json.proofs.marker),
      finalConfirmations: json.proofs.final_confirmations,
    },
    names: names ? mapNames(names, amount) : undefined,
    tokens: tokens
      ? {
          marker: getHexBytes(tokens.marker),
          activationHeight: tokens.activation_height,
          feeScript: getHexBytes(tokens.fee_script),
          createFees: tokens.create_fees.map(({ from_height, fee }) => ({
            fromHeight: from_height,
            fee: amount(fee),
          })),
          ...(tokens.sweep_activation_height === undefined
            ? {}
            : { sweepActivationHeight: tokens.sweep_activation_height }),
        }
      : undefined,
    treasury:
      treasury && treasuryAddress?.ok
        ? {
            marker: getHexBytes(treasury.marker),
            address: treasury.address,
            script: treasuryAddress.value.script,
            otherScripts,
            account: treasury.account && {
              key: treasury.account.key,
              gapLimit: treasury.account.gap_limit ?? DEFAULT_GAP_LIMIT,
            },
            confirmations: treasury.confirmations ?? DEFAULT_TREASURY_CONFIRMATIONS,
          }
        : undefined,
    payments: json.payments
      ? {
          zeroConfMax: amount(json.payments.zero_conf_max),
          zeroConfReplaceable: json.payments.zero_conf_replaceable ?? false,
        }
      : undefined,
    pool: pool
      ? {
          tag: pool.tag,
          payoutScripts: pool.payout_scripts.map(getHexBytes),
          minerPercent: pool.miner_percent,
          operatorPercent: pool.operator_percent,
          stratumHost: pool.stratum_host,
          stratumPort: pool.stratum_port,
        }
      : undefined,
    releasesManifest: json.releases_manifest ?? undefined,
  };
}

function mapNames(names: NonNullable<ProfileJson['names']>, amount: (text: string) => bigint): NameRules {
  return {
    marker: getHexBytes(names.marker),
    activationHeight: names.activation_height,
    feeScript: getHexBytes(names.fee_script),
    tlds: names.tlds,
    minLabelLength: names.min_label_length,
    commitMaturityBlocks: names.commit_maturity_blocks,
    commitLifetimeBlocks: names.commit_lifetime_blocks,
    periodBlocks: names.period_blocks,
    maxPeriods: names.max_periods,
    graceBlocks: names.grace_blocks,
    premiumBlocks: names.premium_blocks,
    premiumStart: amount(names.premium_start),
    prices: names.prices.map(({ from_height, by_length }) => ({
      fromHeight: from_height,
      byLength: by_length.map(({ max_length, per_period }) => ({
        maxLength: max_length,
        perPeriod: amount(per_period),
      })),
    })),
    ...(names.reverse_activation_height === undefined
      ? {}
      : { reverseActivationHeight: names.reverse_activation_height }),
    ...(names.records_activation_height === undefined
      ? {}
      : { recordsActivationHeight: names.records_activation_height }),
  };
}

function collectContradictions(profile: CoinProfile, faults: string[]): void {
  const { address, names, tokens, pool, subsidy } = profile;
  if (address.p2pkhVersions.some((version) => address.p2shVersions.includes(version))) {
    faults.push('p2pkh_versions and p2sh_versions share a version');
  }
  const markers = [profile.proofs, names, tokens, profile.treasury].flatMap((part) =>
    part ? [bytesToHex(part.marker)] : [],
  );
  if (new Set(markers).size < markers.length) faults.push('two protocols share a marker');
  if (subsidy.kind === 'table') checkSteps('subsidy.steps', subsidy.steps, 0, faults);
  if (names) {
    checkSteps('names.prices', names.prices, names.activationHeight, faults);
    if (names.commitMaturityBlocks > names.commitLifetimeBlocks) {
      faults.push('names: commitments end before they mature');
    }
    const { reverseActivationHeight: reverse, recordsActivationHeight: records } = names;
    if (reverse !== undefined && reverse < names.activationHeight) {
      faults.push('names.reverse_activation_height is below activation_height');
    }
    if (records !== undefined && records < names.activationHeight) {
      faults.push('names.records_activation_height is below activation_height');
    }
    if (records !== undefined && names.tlds.some((tld) => tld.length > MOST_RECORDED_TLD)) {
      faults.push(
        `names.tlds: with text records at most ${MOST_RECORDED_TLD} letters, or the longest names could not have any`,
      );
    }
    if (names.prices.some(({ byLength }) => !pricesCoverLengths(byLength))) {
      faults.push('names.prices: by_length must rise in max_length and end at 32');
    }
  }
  if (tokens) {
    checkSteps('tokens.create_fees', tokens.createFees, tokens.activationHeight, faults);
    const { sweepActivationHeight: sweep } = tokens;
    if (sweep !== undefined && sweep < tokens.activationHeight)
      faults.push('tokens.sweep_activation_height is below activation_height');
  }
  if (pool && pool.minerPercent + pool.operatorPercent !== 100) {
    faults.push('pool: miner_percent and operator_percent must make 100');
  }
}

function checkSteps(
  field: string,
  steps: { fromHeight: number }[],
  firstNeeded: number,
  faults: string[],
): void {
  if (steps[0]!.fromHeight > firstNeeded) faults.push(`${field} begins after height ${firstNeeded}`);
  if (steps.some((step, i) => i > 0 && step.fromHeight <= steps[i - 1]!.fromHeight)) {
    faults.push(`${field} must rise in from_height`);
  }
}

function pricesCoverLengths(byLength: { maxLength: number }[]): boolean {
  return (
    byLength.at(-1)?.maxLength === 32 &&
    byLength.every((row, i) => i === 0 || row.maxLength > byLength[i - 1]!.maxLength)
  );
}
