import { findKnown } from '../cache/find-unchanged.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import type { Context } from '../shell/context.ts';
import { findNames, findTokens } from './find-holdings.ts';
import { lookAtWallet } from './scan-wallet.ts';
import type { Purse } from './spend.ts';

/** The wallet, its service, and all that it has there. */
export async function openPurse(context: Context): Promise<Purse> {
  const file = await loadWallet(context);
  const session = await connectWallet(context, file);
  const scan = await lookAtWallet(context, file.watch, session, await findKnown(context, file, session));
  const [names, tokens] = [await findNames(session, scan), await findTokens(session, scan)];
  return { file, session, scan, names, tokens };
}
