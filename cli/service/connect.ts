import { clientReads } from '@coinfront/sdk/wallet/client-reads.ts';
import type { WalletReads } from '@coinfront/sdk/wallet/wallet-reads.ts';
import type { WalletOutline } from '../keystore/read-wallet-json.ts';
import type { Context } from '../shell/context.ts';
import { type Connection, openConnection, openWalletConnection } from './open-connection.ts';

/** A service that is asked, and what a wallet asks of it. */
export type Session = Connection & { readonly reads: WalletReads };

/** Asks a service what its coin is, and no more. */
export async function connect(context: Context, service?: string): Promise<Session> {
  return addReads(await openConnection(context, service));
}

/**
 * Connects a wallet to its service, or to the one that was named.
 *
 * @throws WalletError `network_mismatch`, `network_changed`: before anything else is asked of it
 */
export async function connectWallet(
  context: Context,
  file: Pick<WalletOutline, 'service' | 'watch'>,
): Promise<Session> {
  return addReads(await openWalletConnection(context, file));
}

/** A connection as a session. */
export function addReads(connection: Connection): Session {
  return { ...connection, reads: clientReads(connection.client) };
}
