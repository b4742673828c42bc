import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUXPOW_VERSION_BIT } from '@coinfront/protocol/block.ts';
import bitcoinRegtest from '@coinfront/protocol/profiles/bitcoin-regtest.json' with { type: 'json' };
import { verifyTransactionProof } from '@coinfront/sdk/verify/verify-transaction-proof.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNodeClient, type NodeClient } from '../../service/src/node/rpc-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import type { FakeNode } from '../harness/fake-node.ts';
import { startService, type TestService } from '../harness/service.ts';
import { defineBlockTruths, defineTransactionTruths } from './block-truth.ts';
import { defineEsploraTruths } from './esplora-truth.ts';
import { type NodeBlock, type NodeChain, readNodeChain, type TruthNode } from './node-chain.ts';
import { getJson } from './read-api.ts';
import { startRecordedNode } from './recorded-node.ts';
import { defineTotalsTruths } from './totals-truth.ts';

/**
 * A merged-mined chain that Namecoin's node made and described (`record-merged-mining.ts`): blocks with proofs of several
 * shapes, from the node's own and from another miner's parents, between blocks without.
 */

const profile = { ...bitcoinRegtest, id: 'namecoin-regtest', bech32_hrp: 'ncrt', auxpow: true };

let dir: string;
let recorded: FakeNode;
let client: NodeClient;
let node: TruthNode;
let chain: NodeChain;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinfront-merged-'));
  await writeFile(join(dir, 'coin.json'), JSON.stringify(profile));
  recorded = await startRecordedNode();
  client = createNodeClient({ url: recorded.url });
  node = { client, rpc: (method, ...params) => client.call(method, params) };
  chain = await readNodeChain(node);
});
afterAll(async () => {
  await client.close();
  await recorded.stop();
  await rm(dir, { recursive: true });
});

const isMerged = ({ version }: NodeBlock) => (Number(version) & AUXPOW_VERSION_BIT) !== 0;

forEachEngine('a merged-mined chain', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      nodeUrl: recorded.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_COIN: join(dir, 'coin.json') },
    });
  });
  afterAll(() => service.stop());
  const get = () => ({ service, node, chain });

  defineTotalsTruths(get);
  defineTransactionTruths(get);
  defineBlockTruths(get);
  defineEsploraTruths(get);

  test('has both kinds of blocks, and each is served byte for byte, with the proof that the node makes of it', async () => {
    expect([chain.blocks.filter(isMerged).length, chain.blocks.length]).toEqual([15, 21]);
    for (const { hash, tx } of chain.blocks) {
      const raw = await fetch(`${service.origin}/esplora/block/${hash}/raw`);
      const bytes = Buffer.from(await raw.arrayBuffer());
      expect(bytes.toString('hex')).toBe(await node.rpc('getblock', hash, 0));
      const proof = await service.get(`/esplora/tx/${tx[0]!.txid}/merkleblock-proof`);
      expect(proof.text).toBe(await node.rpc('gettxoutproof', [tx[0]!.txid], hash));
    }
  });

  test('has proofs of transactions that the SDK checks without it; of work they show none', async () => {
    for (const { hash, time, tx } of chain.blocks) {
      const { txid, hex } = tx[0]!;
      const proof = await getJson(service, `/api/v1/tx/${txid}/proof`);
      const proven = { txid, blockHash: hash, time: Number(time), workChecked: false };
      expect(verifyTransactionProof(hex, proof, { work: 'auxpow' })).toEqual(proven);
    }
  });
});
