import { expect, test } from 'vitest';
import type { Block } from './block.ts';
import { sha256, toHex } from './bytes.ts';
import type { Compared } from './compare.ts';
import { follow } from './follow.ts';
import { createLedger, type Tip } from './ledger.ts';
import { readCoin } from './profile.ts';
import type { Source } from './source.ts';
import { readProfile } from './testing/vectors.ts';

/** Empty blocks upon one another; those from `fork` on are others than those of another name. */
function makeChain(length: number, fork: number, name: number): Block[] {
  const chain: Block[] = [];
  for (let height = 0; height < length; height++) {
    const hash = sha256(Uint8Array.of(height, height < fork ? 0 : name));
    chain.push({ hash, prevHash: chain.at(-1)?.hash ?? new Uint8Array(32), txs: [] });
  }
  return chain;
}

/** Follows chains, the next one from the moment on that the tip of the one before was reached. */
async function followChains(chains: Block[][]) {
  let [chain = [], ...next] = chains;
  const source: Source = {
    findHash: async (height) => chain[height]?.hash,
    findBlock: async (height) => chain[height],
    findOneBlock: async (height) => chain[height],
    findHeight: async () => chain.length - 1,
    findScripts: async () => new Map(),
    clear: () => undefined,
  };
  const coin = { ...readCoin(readProfile('regtest')), genesisHash: makeChain(1, 1, 0)[0]!.hash };
  const lost: number[] = [];
  let last: Tip | undefined;
  await follow({
    ...{ coin, source, to: undefined, watchMs: undefined, signal: new AbortController().signal },
    begin: async () => createLedger(coin),
    start: () => ({
      onBlock: async () => 'same',
      async onEnd(tip): Promise<Compared> {
        last = tip;
        if (next.length === 0) return 'same';
        [chain = [], ...next] = next;
        return 'moved';
      },
      onReorg: ({ height }) => lost.push(height),
    }),
  });
  return { lost, tip: toHex(last!.hash), chainHash: toHex(last!.hashes.names!.chain) };
}

test('a longer branch, a shorter one and one from below are followed, and come out as if no other had been', async () => {
  const first = makeChain(6, 6, 0);
  const branches = [makeChain(8, 4, 1), makeChain(7, 4, 2), makeChain(9, 1, 3)];
  const followed = await followChains([first, ...branches]);
  expect(followed.lost).toEqual([5, 4, 7, 6, 5, 4, 6, 5, 4, 3, 2, 1]);
  const { tip, chainHash } = await followChains(branches.slice(-1));
  expect(followed).toMatchObject({ tip, chainHash });
});

test('a chain whose first block is not that of the coin is refused', async () => {
  await expect(followChains([makeChain(3, 0, 4)])).rejects.toThrow('height 0: genesis block');
});
