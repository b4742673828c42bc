import type { NodeClient } from './rpc-client.ts';

/** What a node made of a package: its own answer, and the display txids of what it took. */
export type PackageAnswer = { readonly answer: unknown; readonly taken: readonly string[] };

const TXID = /^[0-9a-f]{64}$/;

/**
 * Hands a child and its parents to the node together (`submitpackage`, Core 28 and later).
 *
 * @throws NodeError when the node cannot be asked, does not know the method, or takes the list for no package
 */
export async function submitPackage(node: NodeClient, rawTxHexes: readonly string[]): Promise<PackageAnswer> {
  const answer = await node.call<unknown>('submitpackage', [rawTxHexes]);
  const results = Object.values(readObject(readObject(answer)['tx-results'])).map(readObject);
  const taken = results.flatMap(({ txid, error }) =>
    error === undefined && typeof txid === 'string' && TXID.test(txid) ? [txid] : [],
  );
  return { answer, taken };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
