import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import type { Context } from '../shell/context.ts';
import { findNames, findTokens } from './find-holdings.ts';
import { scanWallet } from './scan-wallet.ts';
import type { Purse } from './spend.ts';

/** The wallet, its service, and all that it has there. */
export async function openPurse(context: Context): Promise<Purse> {
  const file = await loadWallet(context);
  const session = await connectWallet(context, file);
  const scan = await scanWallet(context, file.watch, session);
  const [names, tokens] = [await findNames(session, scan), await findTokens(session, scan)];
  return { file, session, scan, names, tokens };
}
