import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { type AddressKind, kindsOf } from '@coinfront/sdk/wallet/wallet-address.ts';
import { CliError } from '../shell/cli-error.ts';

/** Kinds of address by the words that wallets show. */
const words = { segwit: 'p2wpkh', taproot: 'p2tr', legacy: 'p2pkh' } as const satisfies Record<
  string,
  AddressKind
>;

/** The option that chooses one. */
export const kindOption = {
  value: '<kind>',
  summary: "kind of address (default: the coin's usual one)",
  choices: Object.keys(words),
} as const;

/**
 * The kind that was chosen, or the usual one of the coin.
 *
 * @throws CliError `network_lacks`
 */
export function chooseKind(word: string | undefined, network: Network): AddressKind {
  const kinds = kindsOf(network);
  const kind = word === undefined ? kinds[0]! : words[word as keyof typeof words];
  if (kinds.includes(kind)) return kind;
  throw new CliError('network_lacks', `${network.name} has no ${word} addresses.`);
}
