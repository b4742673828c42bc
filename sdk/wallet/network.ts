import type { NetworkConfigJson } from '@coinfront/api/chain-state.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { AddressForms } from '@coinfront/protocol/profile.ts';
import { WalletError } from './wallet-error.ts';

/**
 * What a wallet has to know of a coin, read once from a service's `/config` when the wallet is made and kept with it:
 * later answers are compared with it, so a service cannot change the coin under a wallet.
 */
export type Network = {
  readonly id: string;
  readonly name: string;
  readonly ticker: string;
  readonly decimals: number;
  /** The node's word for the network: main, test, regtest. */
  readonly chain: string;
  /** Display hex of the first block: what tells one chain from another. */
  readonly genesisHash: string;
  readonly uriScheme: string;
  readonly address: AddressForms;
  readonly extendedPublicVersion: number;
  readonly extendedPrivateVersion: number;
  readonly bip44CoinType: number;
  readonly messageMagic: string;
  readonly coinbaseMaturity: number;
  /** Base units; smaller outputs are never made. */
  readonly dustLimit: bigint;
};

/** A network as JSON, for the file of a wallet. */
export type NetworkJson = Omit<Network, 'dustLimit'> & { dustLimit: string };

/**
 * Reads the coin's parameters from an answer of `/api/v1/config`.
 *
 * @param options.genesisHash - when given, any other chain is refused
 * @throws WalletError `network_invalid`, `network_mismatch`
 * @example
 * const network = readNetwork(await getConfig(client));
 */
export function readNetwork(config: NetworkConfigJson, options: { genesisHash?: string } = {}): Network {
  const { decimals, address } = config;
  const hrp = address?.bech32_hrp ?? undefined;
  const dust = isCount(decimals, 18) ? parseAmount(String(config.dust_limit), decimals) : undefined;
  const isGood =
    dust?.ok === true &&
    dust.value <= mostDust(decimals) &&
    typeof config.genesis_hash === 'string' &&
    /^[0-9a-f]{64}$/.test(config.genesis_hash) &&
    [config.id, config.name, config.ticker, config.chain].every((text) => isText(text, 64)) &&
    isText(config.message_magic, 64) &&
    isText(config.uri_scheme, 32) &&
    /^[a-z][a-z0-9+.-]*$/.test(config.uri_scheme) &&
    (hrp === undefined || (isText(hrp, 16) && /^[a-z][a-z0-9]*$/.test(hrp))) &&
    areVersions(address?.p2pkh_versions) &&
    areVersions(address?.p2sh_versions) &&
    isCount(config.extended_public_version, 0xffffffff) &&
    isCount(config.extended_private_version, 0xffffffff) &&
    isCount(config.bip44_coin_type, 0x7fffffff) &&
    isCount(config.coinbase_maturity, 0x7fffffff);
  if (!isGood) {
    throw new WalletError('network_invalid', 'The service did not describe its coin as /api/v1/config does.');
  }
  if (options.genesisHash !== undefined && options.genesisHash !== config.genesis_hash) {
    throw mismatch(options.genesisHash, config.genesis_hash);
  }
  return {
    id: config.id,
    name: config.name,
    ticker: config.ticker,
    decimals,
    chain: config.chain,
    genesisHash: config.genesis_hash,
    uriScheme: config.uri_scheme,
    address: {
      p2pkhVersions: [...address.p2pkh_versions],
      p2shVersions: [...address.p2sh_versions],
      bech32Hrp: hrp,
    },
    extendedPublicVersion: config.extended_public_version,
    extendedPrivateVersion: config.extended_private_version,
    bip44CoinType: config.bip44_coin_type,
    messageMagic: config.message_magic,
    coinbaseMaturity: config.coinbase_maturity,
    dustLimit: dust.value,
  };
}

/**
 * Reads a network that a wallet's file has; it is looked at as a service's answer is.
 *
 * @throws WalletError `network_invalid`
 */
export function readStoredNetwork(json: NetworkJson): Network {
  const { decimals, address } = json;
  return readNetwork({
    id: json.id,
    name: json.name,
    ticker: json.ticker,
    decimals,
    chain: json.chain,
    genesis_hash: json.genesisHash,
    uri_scheme: json.uriScheme,
    address: {
      p2pkh_versions: address?.p2pkhVersions,
      p2sh_versions: address?.p2shVersions,
      bech32_hrp: address?.bech32Hrp ?? null,
    },
    extended_public_version: json.extendedPublicVersion,
    extended_private_version: json.extendedPrivateVersion,
    bip44_coin_type: json.bip44CoinType,
    message_magic: json.messageMagic,
    coinbase_maturity: json.coinbaseMaturity,
    dust_limit: isCount(decimals, 18) ? formatAmount(BigInt(json.dustLimit), decimals) : '',
  } as NetworkConfigJson);
}

/**
 * Compares what a service says of its coin with the network of a wallet; call it before anything else is asked of a
 * service. The dust limit may change: it is the operator's policy, and bounded by the fee caps.
 *
 * @throws WalletError `network_mismatch` for another chain, `network_changed` for other parameters of the same chain
 * @example
 * checkNetwork(watch.network, await getConfig(client));
 */
export function checkNetwork(network: Network, config: NetworkConfigJson): void {
  const served = readNetwork(config, { genesisHash: network.genesisHash });
  const changed = Object.keys(network).filter(
    (key) => !PRESENTATION.has(key) && differs(network, served, key),
  );
  if (changed.length === 0) return;
  const detail = `The service now says otherwise than when the wallet was made: ${changed.join(', ')}.`;
  throw new WalletError('network_changed', detail);
}

/** What may differ between two services of one coin: names, and the operator's policy. */
const PRESENTATION = new Set(['id', 'name', 'dustLimit']);

function differs(a: Network, b: Network, key: string): boolean {
  return JSON.stringify(a[key as 'ticker']) !== JSON.stringify(b[key as 'ticker']);
}

/** A hundredth of a coin: above it, "dust" would be a way to make change vanish into fees. */
function mostDust(decimals: number): bigint {
  return 10n ** BigInt(Math.max(decimals - 2, 0));
}

function mismatch(expected: string, received: string): WalletError {
  const detail = `The service is of another chain: its first block is ${received}, the wallet's is ${expected}.`;
  return new WalletError('network_mismatch', detail);
}

function isText(value: unknown, maxLength: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength;
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

function areVersions(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((version) => isCount(version, 255));
}
