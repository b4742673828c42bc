import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import type { TestService } from '../harness/service.ts';
import { expectedEsploraBlock } from './expected-block.ts';
import { type Owner, pickOwners } from './expected-owner.ts';
import { expectedEsploraStatus, expectedEsploraTx } from './expected-tx.ts';
import { feeOf, headerOf, sumOutputs } from './node-chain.ts';
import { eachAtOnce, getJson } from './read-api.ts';
import { listBlocks, listTxs, sample, type TruthContext } from './truth-context.ts';

const PAGE = 25;
const ADDRESSES = 100;
/** Each answers its transactions whole, and some of those are wide. */
const HISTORIES = 30;

type Outpoint = { txid: string; vout: number };

/** Defines the tests that hold the Esplora routes against the node, which must be at rest. */
export function defineEsploraTruths(get: () => TruthContext): void {
  test('/esplora/tx is as the node decodes every transaction, with status and bytes', async () => {
    const { service, chain } = get();
    await eachAtOnce(listTxs(get()), async ({ tx }) => {
      const path = `/esplora/tx/${tx.txid}`;
      const expected = expectedEsploraTx(chain, tx.txid, expect.any(String));
      expect(await getJson(service, path)).toEqual(expected);
    });
    await eachAtOnce(sample(listTxs(get()), 5), async ({ tx, height }) => {
      const path = `/esplora/tx/${tx.txid}`;
      expect(await getJson(service, `${path}/status`)).toEqual(expectedEsploraStatus(chain, height));
      expect(await getText(service, `${path}/hex`)).toBe(tx.hex);
      const raw = await fetch(`${service.origin}${path}/raw`);
      expect(Buffer.from(await raw.arrayBuffer()).toString('hex')).toBe(tx.hex);
    });
  });

  test("/esplora outspends are what the node's inputs spend", async () => {
    const { service, chain } = get();
    await eachAtOnce(chain.txs.values(), async ({ tx }) => {
      const expected = tx.vout.map((_, vout) => {
        const spend = chain.spends.get(`${tx.txid}:${vout}`);
        if (!spend) return { spent: false };
        const status = expectedEsploraStatus(chain, spend.height);
        return { spent: true, txid: spend.txid, vin: spend.vin, status };
      });
      const path = `/esplora/tx/${tx.txid}`;
      expect(await getJson(service, `${path}/outspends`)).toEqual(expected);
      const last = tx.vout.length - 1;
      expect(await getJson(service, `${path}/outspend/${last}`)).toEqual(expected[last]);
    });
  });

  test("/esplora raw blocks and merkleblock proofs are the node's, byte for byte", async () => {
    const { service, node } = get();
    await eachAtOnce(sample(listBlocks(get()), 5), async ({ hash, tx }) => {
      const raw = await fetch(`${service.origin}/esplora/block/${hash}/raw`);
      expect(Buffer.from(await raw.arrayBuffer()).toString('hex')).toBe(
        await node.rpc<string>('getblock', hash, 0),
      );
      for (const { txid } of [tx[0]!, tx.at(-1)!, tx[tx.length >> 1]!]) {
        const proof = await getText(service, `/esplora/tx/${txid}/merkleblock-proof`);
        expect(proof).toBe(await node.rpc<string>('gettxoutproof', [txid], hash));
      }
    });
  });

  test("/esplora merkle proofs lead to the merkle root of the node's block", async () => {
    const { service, chain } = get();
    await eachAtOnce(sample(listTxs(get()), 3), async ({ tx, height, position }) => {
      const path = `/esplora/tx/${tx.txid}/merkle-proof`;
      if (height === undefined) {
        expect((await service.get(path)).status).toBe(404);
        return;
      }
      const proof = await getJson(service, path);
      expect(proof).toMatchObject({ block_height: height, pos: position });
      const [txid, root, ...branch] = [tx.txid, chain.blocks[height]!.merkleroot, ...proof.merkle].map(
        (hash) => getValue(parseDisplayHash(hash)),
      );
      expect(verifyMerkleBranch(txid!, branch, position, root!)).toEqual({ ok: true, value: true });
    });
  });

  test('/esplora blocks are as the node decodes them', async () => {
    const { service, node, chain } = get();
    const newestFirst = chain.blocks.toReversed();
    expect(await getJson(service, '/esplora/blocks')).toEqual(
      newestFirst.slice(0, 10).map(expectedEsploraBlock),
    );
    expect(await getJson(service, '/esplora/blocks/17')).toEqual(
      newestFirst.slice(-18, -8).map(expectedEsploraBlock),
    );
    expect(await getText(service, '/esplora/blocks/tip/hash')).toBe(chain.tip.hash);
    expect(await getText(service, '/esplora/blocks/tip/height')).toBe(String(chain.height));
    const full = listBlocks(get()).filter(({ tx }) => tx.length > 1);
    await eachAtOnce([...full, ...sample(newestFirst, 10)], async (block) => {
      const path = `/esplora/block/${block.hash}`;
      const txids = block.tx.map(({ txid }) => txid);
      expect(await getJson(service, path)).toEqual(expectedEsploraBlock(block));
      expect(await getJson(service, `${path}/status`)).toEqual({
        in_best_chain: true,
        height: Number(block.height),
        next_best: block.nextblockhash ?? null,
      });
      expect(await getText(service, `/esplora/block-height/${block.height}`)).toBe(block.hash);
      expect(await getText(service, `${path}/header`)).toBe(await headerOf(node, block.hash));
      expect(await getJson(service, `${path}/txids`)).toEqual(txids);
      expect(await getText(service, `${path}/txid/${txids.length - 1}`)).toBe(txids.at(-1));
      for (let from = 0; from < txids.length; from += PAGE) {
        const txs: { txid: string }[] = await getJson(service, `${path}/txs/${from}`);
        expect(txs.map(({ txid }) => txid)).toEqual(txids.slice(from, from + PAGE));
      }
    });
  });

  test("/esplora addresses and script hashes have the totals that the node's transactions add up to", async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, ADDRESSES), async ([address, owner]) => {
      const totals = { chain_stats: totalsOf(owner.chain), mempool_stats: totalsOf(owner.mempool) };
      expect(await getJson(service, `/esplora/address/${address}`)).toEqual({ address, ...totals });
      const scripthash = hashOf(owner);
      expect(await getJson(service, `/esplora/scripthash/${scripthash}`)).toEqual({ scripthash, ...totals });
    });
  });

  test('/esplora unspent outputs are those that chain and mempool leave, unconfirmed ones among them', async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, ADDRESSES), async ([address, owner]) => {
      const listed: Outpoint[] = await getJson(service, `/esplora/address/${address}/utxo`);
      const expected = [...owner.utxos].map(([outpoint, { value, height }]) => {
        const [txid = '', vout] = outpoint.split(':');
        const status = expectedEsploraStatus(chain, height);
        return { txid, vout: Number(vout), status, value: Number(value) };
      });
      const byOutpoint = (a: Outpoint, b: Outpoint) => (`${a.txid}${a.vout}` < `${b.txid}${b.vout}` ? -1 : 1);
      expect(listed.toSorted(byOutpoint)).toEqual(expected.toSorted(byOutpoint));
    });
  });

  test('/esplora histories, followed from page to page, are all transactions, each once', async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, HISTORIES), async ([address, owner]) => {
      const path = `/esplora/address/${address}/txs`;
      const newestFirst = owner.history.toReversed();
      const confirmed = newestFirst.filter(({ height }) => height !== undefined).map(({ txid }) => txid);
      const pending = newestFirst.filter(({ height }) => height === undefined).map(({ txid }) => txid);
      const txidsOf = (txs: { txid: string }[]) => txs.map(({ txid }) => txid);
      const found = txidsOf(await getJson(service, path));
      expect(txidsOf(await getJson(service, `${path}/mempool`)).sort()).toEqual(pending.toSorted());
      expect(found.slice(0, pending.length).sort()).toEqual(pending.toSorted());
      found.splice(0, pending.length);
      expect(txidsOf(await getJson(service, `${path}/chain`))).toEqual(found);
      for (let last = PAGE; last === PAGE; ) {
        const page = txidsOf(
          await getJson(service, `${path}/chain/${found.at(-1) ?? confirmed[0] ?? pending[0]}`),
        );
        found.push(...page);
        last = page.length;
      }
      expect(found).toEqual(confirmed);
    });
  });

  test("/esplora mempool has the counts, sizes and fees of the node's", async () => {
    const { service, node, chain } = get();
    const pending = [...chain.txs.values()].filter(({ height }) => height === undefined);
    const txids = pending.map(({ tx }) => tx.txid);
    const mempool = await getJson(service, '/esplora/mempool');
    const sum = (of: (txid: string) => number) => txids.reduce((total, txid) => total + of(txid), 0);
    const info = await node.rpc<{ size: number; bytes: number }>('getmempoolinfo');
    expect(mempool).toMatchObject({
      count: info.size,
      vsize: info.bytes,
      total_fee: sum((txid) => Number(feeOf(chain, chain.txs.get(txid)!.tx))),
    });
    const steps: [number, number][] = mempool.fee_histogram;
    expect(steps.reduce((total, [, vsize]) => total + vsize, 0)).toBe(info.bytes);
    expect(steps).toEqual(steps.toSorted(([a], [b]) => b - a));
    expect((await getJson(service, '/esplora/mempool/txids')).sort()).toEqual(txids.sort());
    const recent: { txid: string }[] = await getJson(service, '/esplora/mempool/recent');
    expect(recent).toHaveLength(Math.min(10, txids.length));
    for (const { txid, ...rest } of recent) {
      const { tx } = chain.txs.get(txid)!;
      const [fee, value] = [feeOf(chain, tx), sumOutputs(tx)].map(Number);
      expect(rest).toEqual({ fee, vsize: Number(tx.vsize), value });
    }
  });
}

async function getText(service: TestService, path: string): Promise<string> {
  const { status, text } = await service.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

function totalsOf(stats: Owner['chain']): Record<string, number> {
  return {
    tx_count: stats.txCount,
    funded_txo_count: stats.receivedCount,
    funded_txo_sum: Number(stats.received),
    spent_txo_count: stats.spentCount,
    spent_txo_sum: Number(stats.spent),
  };
}

function hashOf({ script }: Owner): string {
  return Buffer.from(sha256(getHexBytes(script))).toString('hex');
}
