import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import type { GiveWay } from '../scripts/read-script.ts';
import { branchOf, buildLevels, rootOf } from './hash-tree-rules.ts';

/** That a block lies in the chain up to a checkpoint; hashes in display hex. */
export type HeaderProof = { readonly branch: readonly string[]; readonly root: string };

/** Proves headers by the tree over all block hashes up to a checkpoint. */
export type HeaderProofs = {
  /** The heights must be of the view's chain, `height` not above `checkpoint`. */
  prove(view: ChainView, height: number, checkpoint: number): Promise<HeaderProof>;
};

/** Blocks of a stretch: a proof reads the hashes of two of them. */
const STRETCH_HEIGHT = 11;
const STRETCH = 2 ** STRETCH_HEIGHT;

/** The root of a stretch, and the block it ends with: whatever has that hash has all blocks below. */
type Stretch = { readonly lastHash: Uint8Array; readonly root: Uint8Array };

/**
 * Creates proofs that remember the roots of whole stretches. The first takes some seconds on a chain of a million blocks; it is
 * made once, whoever else asks waits for it.
 */
export function createHeaderProofs(giveWay: GiveWay): HeaderProofs {
  const stretches: Stretch[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const readStretch = async (view: ChainView, from: number, count: number): Promise<Uint8Array[]> => {
    const hashes = await view.listBlockHashes(from, count);
    if (hashes.length !== count) throw new Error(`the index has no ${count} blocks from ${from} on`);
    return hashes;
  };

  /** Has the roots of the first `count` stretches of the view's chain remembered. */
  const remember = async (view: ChainView, count: number): Promise<void> => {
    while (stretches.length > 0) {
      const last = await view.nameBlockAt(stretches.length * STRETCH - 1);
      if (last && equalBytes(last.hash, stretches.at(-1)!.lastHash)) break;
      stretches.pop();
    }
    while (stretches.length < count) {
      const hashes = await readStretch(view, stretches.length * STRETCH, STRETCH);
      stretches.push({ lastHash: hashes.at(-1)!, root: rootOf(buildLevels(hashes)) });
      await giveWay();
    }
  };

  const prove: HeaderProofs['prove'] = async (view, height, checkpoint) => {
    const blocks = checkpoint + 1;
    if (blocks <= STRETCH) {
      const levels = buildLevels(await readStretch(view, 0, blocks));
      return show(branchOf(levels, height), rootOf(levels));
    }
    const whole = Math.floor(blocks / STRETCH);
    await remember(view, whole);
    const roots = stretches.slice(0, whole).map(({ root }) => root);
    const rest = blocks - whole * STRETCH;
    const partial = rest === 0 ? undefined : await readStretch(view, whole * STRETCH, rest);
    const partialLevels = partial && buildLevels(partial, STRETCH_HEIGHT);
    if (partialLevels) roots.push(rootOf(partialLevels));
    const upper = buildLevels(roots);
    const at = Math.floor(height / STRETCH);
    const lower = at === whole ? partialLevels! : buildLevels(await readStretch(view, at * STRETCH, STRETCH));
    return show([...branchOf(lower, height % STRETCH), ...branchOf(upper, at)], rootOf(upper));
  };

  return {
    prove(view, height, checkpoint) {
      const proof = turn.then(() => prove(view, height, checkpoint));
      turn = proof.catch(() => {});
      return proof;
    },
  };
}

function show(branch: readonly Uint8Array[], root: Uint8Array): HeaderProof {
  return { branch: branch.map(toDisplayHash), root: toDisplayHash(root) };
}
