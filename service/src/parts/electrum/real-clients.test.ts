import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ElectrumClient as CashClient } from '@electrum-cash/network';
import { ElectrumWebSocket } from '@electrum-cash/web-socket';
import MempoolClient from '@mempool/electrum-client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../../../../test/harness/certificates.ts';
import { type ElectrumFixture, portOf, startElectrumFixture } from '../../testing/electrum-fixture.ts';
import { miner, payee, scriptOf } from '../../testing/fixture-server.ts';

// Clients that others wrote, as they come from the registry.

const hashOf = (byte: number): string =>
  createHash('sha256').update(scriptOf(byte)).digest().reverse().toString('hex');

let server: ElectrumFixture;
let files: { certFile: string; keyFile: string };

beforeAll(async () => {
  const { cert, key } = createAuthority().issue({ names: ['localhost', '127.0.0.1'] });
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-clients-'));
  files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  server = await startElectrumFixture({ files });
});
afterAll(() => server.finish(0));

function mineBlock(): Promise<void> {
  server.chain.addBlock(scriptOf(miner));
  server.chain.mempool = { ...server.chain.mempool, version: server.chain.mempool.version + 1 };
  return server.wake();
}

test.each(['tcp', 'tls'] as const)('@mempool/electrum-client over %s', async (scheme) => {
  const options = scheme === 'tls' ? { rejectUnauthorized: false } : undefined;
  const client = new MempoolClient(portOf(server, scheme), '127.0.0.1', scheme, options, { onLog: () => {} });
  onTestFinished(() => client.close());
  await client.initElectrum({ client: 'mempool', version: ['1.4', '1.4.2'] });
  expect(client.versionInfo).toEqual(['Coinfront 0.0.0', '1.4.2']);
  const { confirmed } = await client.blockchainScripthash_getBalance(hashOf(payee));
  expect(confirmed).toBeGreaterThan(0);
  const history = await client.blockchainScripthash_getHistory(hashOf(payee));
  const batch = await client.blockchainScripthash_getHistoryBatch([hashOf(payee), hashOf(miner)]);
  expect(batch.map(({ result }) => result.length)).toEqual([history.length, expect.any(Number)]);
  const told = vi.fn();
  client.subscribe.on('blockchain.scripthash.subscribe', told);
  const status = await client.blockchainScripthash_subscribe(hashOf(miner));
  await mineBlock();
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  const [[hash, next]] = told.mock.lastCall as [[string, string]];
  expect([hash, next]).toEqual([hashOf(miner), expect.not.stringMatching(status)]);
});

test.each([
  ['WebSocket', false],
  ['WebSocket with TLS', true],
] as const)('@electrum-cash/network over %s', async (_, isEncrypted) => {
  // The certificate's authority is of this test, and the client has no option for one.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', isEncrypted ? '0' : undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const served = await startElectrumFixture(isEncrypted ? { files } : {});
  onTestFinished(() => served.finish(0));
  const socket = new ElectrumWebSocket('127.0.0.1', portOf(served, isEncrypted ? 'wss' : 'ws'), isEncrypted);
  const client = new CashClient('test', '1.4.1', socket);
  onTestFinished(async () => void (await client.disconnect(true)));
  await client.connect();
  expect(await client.request('blockchain.scripthash.get_balance', hashOf(payee))).toMatchObject({
    confirmed: expect.any(Number),
  });
  const told = vi.fn();
  client.on('notification', told);
  await client.subscribe('blockchain.headers.subscribe');
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  served.chain.addBlock(scriptOf(miner));
  served.chain.mempool = { ...served.chain.mempool, version: served.chain.mempool.version + 1 };
  await served.wake();
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2));
  expect(told.mock.lastCall).toMatchObject([
    { method: 'blockchain.headers.subscribe', params: [{ height: 121 }] },
  ]);
});
