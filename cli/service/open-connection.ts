import type { NetworkConfigJson } from '@coinfront/api/chain-state.ts';
import { getConfig } from '@coinfront/sdk/chain/get-config.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { checkNetwork } from '@coinfront/sdk/wallet/network.ts';
import type { WalletOutline } from '../keystore/read-wallet-json.ts';
import type { Context } from '../shell/context.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import { sendRequest } from './send-request.ts';

/** Where a wallet is made when nobody says: the service that `npm start` runs. */
export const defaultService = 'http://127.0.0.1:8080';

/** A service that is asked, and what it says of its coin. */
export type Connection = {
  readonly service: string;
  readonly client: Client;
  readonly config: NetworkConfigJson;
};

/** Asks a service what its coin is, and no more. */
export async function openConnection(
  { options, terminal, signal }: Context,
  service?: string,
): Promise<Connection> {
  const baseUrl = options.service ?? service ?? defaultService;
  const client = refuseSecrets(
    createClient({
      baseUrl,
      timeoutMs: 60_000,
      retries: 3,
      fetch: (url, init) => sendRequest(url, { ...init, signal: joinSignals(init.signal, signal) }),
    }),
  );
  if (client.baseUrl.startsWith('http:') && !isLoopback(client.baseUrl)) {
    terminal.note(`Warning: ${client.baseUrl} is not HTTPS: others on the way see your addresses.\n`);
  }
  return { service: client.baseUrl, client, config: await getConfig(client) };
}

/**
 * Connects a wallet to its service, or to the one that was named.
 *
 * @throws WalletError `network_mismatch`, `network_changed`: before anything else is asked of it
 */
export async function openWalletConnection(
  context: Context,
  { service, watch }: Pick<WalletOutline, 'service' | 'watch'>,
): Promise<Connection> {
  const connection = await openConnection(context, service);
  checkNetwork(watch.network, connection.config);
  return connection;
}

function joinSignals(first: AbortSignal | null | undefined, second: AbortSignal): AbortSignal {
  return first ? AbortSignal.any([first, second]) : second;
}

function isLoopback(url: string): boolean {
  return /^(127(\.[0-9]{1,3}){3}|localhost|\[::1\])$/.test(new URL(url).hostname);
}
