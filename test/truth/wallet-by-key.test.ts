import { encodeAddress } from '@coinfront/protocol/address.ts';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWalletScripts } from '../../service/src/wallets/wallet-scripts.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';
import { listPages } from './read-api.ts';

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(33), {
  public: testProfile.extendedPublicVersion,
  private: testProfile.extendedPrivateVersion,
});
const key = root.derive("m/84'/1'/0'").publicExtendedKey;
const wallet = readWalletScripts(key, 'p2wpkh', testProfile);
if (!wallet.ok) throw new Error(wallet.reason);
const addressAt = (branch: number, index: number): string =>
  encodeAddress(wallet.value.branches[branch]!.scriptAt(index), testProfile)!;
const used = [...[0, 1, 2, 5, 8, 13].map((i) => addressAt(0, i)), ...[0, 1, 7].map((i) => addressAt(1, i))];

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
  // Each payment goes to one, two or three addresses of the wallet, and some wait.
  for (let round = 0; round < 24; round++) {
    const outputs: Record<string, string> = {};
    for (let i = 0; i <= round % 3; i++)
      outputs[used[(round * 5 + i * 4) % used.length]!] = `0.0${round + 11}`;
    await node.rpc('sendmany', '', outputs);
    if (round % 4 === 3 && round < 20) await node.mine(1);
  }
});
afterAll(() => node.stop());

const listAll = async (service: TestService, path: string, limit = 100): Promise<Line[]> =>
  (await listPages(service, path, limit)).flat();
type Line = { txid: string; delta: string; confirmed: boolean };
const toUnits = (amount: string): bigint => BigInt(amount.replace('.', ''));
const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, each) => total + toUnits(each), 0n);

forEachEngine('a wallet by its public key', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    await service.waitForTip();
    await service.waitForMempool();
  });
  afterAll(() => service.stop());

  test('has what its addresses have, and each of their transactions once', async () => {
    const { json, status } = await service.get(`/api/v1/xpub/${key}`);
    expect(status).toBe(200);
    const shown = json.chains.flatMap((chain: { addresses: { address: string }[] }) => chain.addresses);
    expect(shown.map(({ address }: { address: string }) => address).toSorted()).toEqual(used.toSorted());
    const alone = await Promise.all(
      used.map(async (each) => (await service.get(`/api/v1/address/${each}`)).json),
    );
    expect(toUnits(json.balance)).toBe(sum(alone.map(({ balance }) => balance)));
    expect(toUnits(json.mempool.balance)).toBe(sum(alone.map(({ mempool }) => mempool.balance)));
    expect(json.chains.map((chain: { next_unused: object }) => chain.next_unused)).toEqual([
      { address: addressAt(0, 14), path: '0/14' },
      { address: addressAt(1, 8), path: '1/8' },
    ]);

    const deltas = new Map<string, bigint>();
    for (const each of used)
      for (const { txid, delta } of await listAll(service, `/api/v1/address/${each}/txs`))
        deltas.set(txid, (deltas.get(txid) ?? 0n) + toUnits(delta));
    for (const limit of [3, 100]) {
      const lines = await listAll(service, `/api/v1/xpub/${key}/txs`, limit);
      expect(lines.map(({ txid }) => txid).toSorted()).toEqual([...deltas.keys()].toSorted());
      for (const { txid, delta } of lines) expect(toUnits(delta)).toBe(deltas.get(txid));
      const firstConfirmed = lines.findIndex(({ confirmed }) => confirmed);
      expect(lines.slice(firstConfirmed).every(({ confirmed }) => confirmed)).toBe(true);
    }
  });

  test('its addresses have tables that say what their histories say', async () => {
    const address = used[0]!;
    const { text, headers } = await service.get(`/api/v1/address/${address}/transactions.csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('time,height,txid,amount,balance');
    const history = (await listAll(service, `/api/v1/address/${address}/txs`)).filter(
      ({ confirmed }) => confirmed,
    );
    expect(lines.map((line) => line.split(',').slice(2, 4))).toEqual(
      history.map(({ txid, delta }) => [txid, delta]),
    );
    const { json } = await service.get(`/api/v1/address/${address}`);
    expect(lines[0]!.split(',')[4]).toBe(json.balance);
    expect(lines.at(-1)!.split(',')[3]).toBe(lines.at(-1)!.split(',')[4]);
  });
});
