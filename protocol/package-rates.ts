/** What a transaction of the mempool pays for its place together with those that it hangs on, or that hang on it. */

/** One of the transactions that hang together; `parents` are the places in the list of those whose outputs it spends. */
export type LinkedTx = { fee: bigint; weight: number; parents: readonly number[] };

/** What is mined at once: the fee and the weight that count for each of it, and the places of all in the list. */
export type Package = { fee: bigint; weight: number; members: readonly number[] };

/**
 * The package that each would be mined with, by the rule of Bitcoin Core's miner: again and again the one whose unmined ancestors and itself
 * pay most by weight is mined with these. The time grows with the cube of the number: for lists that are bounded.
 *
 * @returns the packages, in the order of the list
 */
export function findPackages(txs: readonly LinkedTx[]): Package[] {
  const packages: Package[] = [];
  const waiting = new Set(txs.keys());
  while (waiting.size > 0) {
    let best: Package | undefined;
    for (const tx of waiting) {
      const found = sumUp(txs, listWaitingAncestors(txs, tx, waiting));
      if (best === undefined || found.fee * BigInt(best.weight) > best.fee * BigInt(found.weight))
        best = found;
    }
    for (const member of best!.members) {
      packages[member] = best!;
      waiting.delete(member);
    }
  }
  return packages;
}

function listWaitingAncestors(txs: readonly LinkedTx[], tx: number, waiting: ReadonlySet<number>): number[] {
  const found = new Set([tx]);
  for (const each of found) {
    for (const parent of txs[each]!.parents) if (waiting.has(parent)) found.add(parent);
  }
  return [...found];
}

function sumUp(txs: readonly LinkedTx[], members: readonly number[]): Package {
  let fee = 0n;
  let weight = 0;
  for (const member of members) {
    fee += txs[member]!.fee;
    weight += txs[member]!.weight;
  }
  return { fee, weight, members };
}
