import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetWalletStandardResult = Readonly<Record<string, unknown>>;
export type GetWalletStandardError = CoinfrontError<CallErrorCode>;

/**
 * The wallet standard COIN-HD-1.
 *
 * How a mnemonic becomes addresses, with vectors to test a wallet against. Keys stay in the wallet.
 *
 * @throws {GetWalletStandardError}
 * @example
 * const answer = await getWalletStandard(client);
 */
export function getWalletStandard(client: Client, options?: CallOptions): Promise<GetWalletStandardResult> {
  return client.request({ method: 'GET', path: '/api/v1/wallet-standard' }, options);
}
