import type { NodeClient } from './rpc-client.ts';

/** What a node made of a package: its own answer, and the display txids of what it took. */
export type PackageAnswer = { readonly answer: unknown; readonly taken: readonly string[] };

/** What its transactions may at most pay (coins for 1,000 virtual bytes) and burn (coins); the node's own limits where undefined. */
export type PackageLimits = {
  readonly maxFeeRate?: string | undefined;
  readonly maxBurnAmount?: string | undefined;
};

/** What a wallet is told where the node does not know, or does not allow, the method. */
export const NO_PACKAGES =
  "The node of this service takes no packages: it does not have, or does not allow, 'submitpackage' (Bitcoin Core 28 and later). " +
  'Send the transactions one by one, parents first; one that pays too little alone needs a higher fee of its own.';

const TXID = /^[0-9a-f]{64}$/;

/**
 * Hands a child and its parents to the node together (`submitpackage`, Core 28 and later).
 *
 * @throws NodeError when the node cannot be asked, does not know the method, or takes the list for no package
 */
export async function submitPackage(
  node: NodeClient,
  rawTxHexes: readonly string[],
  { maxFeeRate, maxBurnAmount }: PackageLimits = {},
): Promise<PackageAnswer> {
  const limits =
    maxBurnAmount !== undefined ? [maxFeeRate ?? null, maxBurnAmount] : [maxFeeRate ?? []].flat();
  const answer = await node.call<unknown>('submitpackage', [rawTxHexes, ...limits]);
  const results = Object.values(readObject(readObject(answer)['tx-results'])).map(readObject);
  const taken = results.flatMap(({ txid, error }) =>
    error === undefined && typeof txid === 'string' && TXID.test(txid) ? [txid] : [],
  );
  return { answer, taken };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
