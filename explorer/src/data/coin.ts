import type { NetworkConfigJson } from '@coinfront/api/chain-state.ts';
import { getConfig } from '@coinfront/sdk/chain/get-config.ts';
import { client } from './client.ts';
import { createStore } from './store.ts';

/** The coin, as the service tells it; undefined until it did. It does not change while a service runs. */
export const coin = createStore<NetworkConfigJson | undefined>(undefined);

/** Reads it; it usually comes with the page. */
export async function readCoin(): Promise<void> {
  try {
    coin.set(await getConfig(client));
  } catch {
    setTimeout(readCoin, 5_000);
  }
}

/** The ticker, for sentences; empty until it is known. */
export function useTicker(): string {
  return coin.get()?.ticker ?? '';
}
