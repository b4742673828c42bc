import type { NetworkConfigJson } from '@coinfront/api/chain-state.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { bitcoin, regtest } from '@coinfront/protocol/testing/profiles.ts';
import { type Network, readNetwork } from '../network.ts';

/** What `/config` answers for a profile, as far as a wallet reads it. */
export function configOf(profile: CoinProfile): NetworkConfigJson {
  const { address } = profile;
  return {
    id: profile.id,
    name: profile.name,
    ticker: profile.ticker,
    decimals: profile.decimals,
    chain: profile.chain,
    genesis_hash: profile.genesisHash,
    uri_scheme: profile.uriScheme,
    address: {
      p2pkh_versions: address.p2pkhVersions,
      p2sh_versions: address.p2shVersions,
      bech32_hrp: address.bech32Hrp ?? null,
    },
    extended_public_version: profile.extendedPublicVersion,
    extended_private_version: profile.extendedPrivateVersion,
    bip44_coin_type: profile.bip44CoinType,
    message_magic: profile.messageMagic,
    coinbase_maturity: profile.coinbaseMaturity,
    dust_limit: formatAmount(profile.dustLimit, profile.decimals),
  } as NetworkConfigJson;
}

export const regtestNetwork: Network = readNetwork(configOf(regtest));
export const bitcoinNetwork: Network = readNetwork(configOf(bitcoin));
