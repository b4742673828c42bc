import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

/** A real chain with something of every kind, and the service that shows it. */
export type ExplorerFixture = {
  readonly node: TestNode;
  readonly service: TestService;
  readonly database: { kind: 'sqlite'; dataDir: string };
  /** In the chain: a transaction that carries the digest, and what else there is to look at. */
  readonly known: {
    txid: string;
    digest: string;
    address: string;
    tokenId: string;
    name: string;
  };
  stop(): Promise<void>;
};

const COMMIT_MATURITY = 12;

/** More than what a test of the pages needs. */
export type ExplorerFixtureOptions = {
  nodeArgs?: readonly string[];
  settings?: Readonly<Record<string, string>>;
};

/** Starts a node, makes a proof, a token and a name on it as any wallet would, and serves them. */
export async function startExplorerFixture({
  nodeArgs = [],
  settings = {},
}: ExplorerFixtureOptions = {}): Promise<ExplorerFixture> {
  const node = await startNode({ extraArgs: nodeArgs });
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-explorer-'));
  const database = { kind: 'sqlite', dataDir } as const;
  await node.mine(110);
  const service = await startService({ nodeUrl: node.url, database, settings });
  const address = await node.newAddress();
  for (let coin = 0; coin < 4; coin += 1) await node.rpc('sendtoaddress', address, 3);
  await mine(1);

  async function mine(blocks: number): Promise<void> {
    await node.mine(blocks);
    await service.waitForTip();
  }

  /** The service builds, the node's wallet signs, the service sends. */
  async function send(path: string, body: object): Promise<string> {
    const { json: encoded } = await service.post(path, { ...body, address });
    const { psbt } = await node.rpc<{ psbt: string }>('walletprocesspsbt', encoded.transaction.psbt);
    const { hex } = await node.rpc<{ hex: string }>('finalizepsbt', psbt);
    const { status, json, text } = await service.post('/api/v1/broadcast', { raw_tx: hex });
    if (status !== 200) throw new Error(`${path} was not sent: ${text}`);
    await service.waitForMempool();
    return json.txid;
  }

  const digest = createHash('sha256').update('explorer fixture').digest('hex');
  const { json: proof } = await service.get(`/api/v1/proof/lookup/${digest}`);
  const funded = await node.rpc<{ hex: string }>(
    'fundrawtransaction',
    await node.rpc('createrawtransaction', [], [{ data: proof.script.slice(4) }]),
  );
  const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
  const txid = await node.rpc<string>('sendrawtransaction', signed.hex);
  // What it spends must not be given to the next transaction.
  await service.waitForMempool();
  await send('/api/v1/tok/encode/create', {
    ticker: 'SHOWN',
    decimals: 2,
    premine: '1000.00',
    mintable: true,
  });
  const name = 'shown.coin';
  const salt = randomBytes(16).toString('hex');
  await send('/api/vns/v1/encode/commit', { name, salt });
  await mine(COMMIT_MATURITY);
  await send('/api/vns/v1/encode/register', { name, salt, periods: 1 });
  await mine(1);
  const { json: tokens } = await service.get('/api/v1/tokens?q=SHOWN');
  return {
    node,
    service,
    database,
    known: { txid, digest, address, tokenId: tokens.items[0].token_id, name },
    async stop() {
      await service.stop();
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
