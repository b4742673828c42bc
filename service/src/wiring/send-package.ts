import { type PackageLimits, submitPackage } from '../node/submit-package.ts';
import { checkRawTx } from '../parts/chain/broadcast.ts';
import type { ShownWatch, Visibility } from '../parts/chain/shown-watch.ts';
import type { Ground } from './ground.ts';

/** Hands a package to the node, and waits a bounded time until reads show what it took. Gives the node's own answer. */
export type SendPackage = (
  rawTxHexes: readonly string[],
  limits?: PackageLimits,
) => Promise<{ answer: unknown; visibility: Visibility }>;

/** Makes it of the node, of what names a transaction to the indexer, and of what waits until it is shown. */
export function createPackageSender(
  { node }: Pick<Ground, 'node'>,
  nameSent: (txid: string) => void,
  waitUntilShown: ShownWatch,
): SendPackage {
  return async (rawTxHexes, limits) => {
    for (const each of rawTxHexes) checkRawTx(each);
    const { answer, taken } = await submitPackage(node.client, rawTxHexes, limits);
    for (const txid of taken) nameSent(txid);
    const shown = await Promise.all(taken.map((txid) => waitUntilShown(txid)));
    return { answer, visibility: shown.find((each) => each !== 'visible') ?? 'visible' };
  };
}
