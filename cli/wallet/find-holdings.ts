import {
  listWalletNames,
  listWalletTokens,
  orNone,
  type WalletName,
  type WalletToken,
} from '@coinfront/sdk/wallet/list-holdings.ts';
import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { Session } from '../service/connect.ts';

/** Names of the wallet; none where the coin has no registry. */
export function findNames({ client }: Session, scan: WalletScan): Promise<WalletName[]> {
  return orNone(listWalletNames(client, scan));
}

/** Tokens of the wallet, address by address; none where the coin has no tokens. */
export function findTokens({ client }: Session, scan: WalletScan): Promise<WalletToken[]> {
  return orNone(listWalletTokens(client, scan));
}

/** A name as it is listed. */
export function describeName({ name, state, resolves, is_reverse, expiry, owner }: WalletName) {
  return { name, state, resolves, is_reverse, expiry_height: expiry.height, owner: owner.address };
}

/** A token at one address, as it is listed. */
export function describeToken({ token_id, ticker, balance, is_issuer, mintable, holder }: WalletToken) {
  return { token_id, ticker, balance, is_issuer, mintable, holder: holder.address };
}
