import type { NodeClient } from '../service/src/node/rpc-client.ts';

/** What a wallet is given when it has fewer than `least` confirmed coins, and how an address of it is made. */
export type Purse = { least: number; coins: number; amount: string; newAddress(): Promise<string> };

/**
 * Pays coins of one amount to a wallet that has too few.
 *
 * @returns true when something was sent, which is of use once it is in a block
 * @throws NodeError when the payer has not enough
 */
export async function fillPurse(payer: NodeClient, wallet: NodeClient, purse: Purse): Promise<boolean> {
  if ((await wallet.call<unknown[]>('listunspent')).length >= purse.least) return false;
  const amounts: Record<string, string> = {};
  for (let index = 0; index < purse.coins; index += 1) amounts[await purse.newAddress()] = purse.amount;
  await payer.call('sendmany', ['', amounts]);
  return true;
}
