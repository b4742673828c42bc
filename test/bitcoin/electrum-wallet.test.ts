import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { findFreePort } from '../../scripts/free-ports.ts';
import type { ElectrumMessage } from '../harness/electrum-client.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);
/** Debian's stable one speaks protocol 1.4, the newest one 1.6. */
const electrums = [
  { name: 'Electrum 4.3', program: '/usr/bin/electrum', protocol: '1.4', bumpsFees: false },
  {
    name: 'the newest Electrum',
    program: unpacked('electrum-newest', 'electrum'),
    protocol: '1.6',
    bumpsFees: true,
  },
];
const { missing } = findBitcoinNode();
const SLOW_MS = 40_000;

/** What `fetch-from-sid.sh` unpacked. */
function unpacked(name: string, program: string): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coinfront', name, program);
}

/** Electrum's daemon with a wallet in a folder of its own, asked by its own JSON-RPC: a command takes it seconds to start. */
type Wallet = {
  call(method: string, params?: Record<string, unknown>): Promise<ElectrumMessage>;
};

let node: TestNode;
let service: TestService;
let folder: string;
/** Where wallets connect: it passes on what is said, and keeps what the service answers first to each. */
let listening: Server;
let firstAnswers: string[] = [];

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'coinfront-electrum-'));
  node = await startNode();
  await node.mine(110);
  const port = await findFreePort();
  service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: join(folder, 'service') },
    settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}` },
  });
  listening = createServer((wallet) => {
    const server = connect(port, '127.0.0.1');
    server.once('data', (answer) => firstAnswers.push(String(answer)));
    for (const socket of [wallet, server]) socket.on('error', () => {});
    wallet.pipe(server).pipe(wallet);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  listening?.close();
  await service?.stop();
  await node?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs Electrum in a folder; `make` gives it its wallet before it goes online. */
async function openWallet(
  program: string,
  make: string[],
): Promise<{ wallet: Wallet; made: ElectrumMessage }> {
  const dir = await mkdtemp(join(folder, 'wallet-'));
  const rpc = { rpcport: await findFreePort(), rpcuser: 'user', rpcpassword: randomUUID() };
  const server = `127.0.0.1:${(listening.address() as AddressInfo).port}:t`;
  await mkdir(join(dir, 'regtest'));
  await writeFile(
    join(dir, 'regtest', 'config'),
    // Without a version it is taken for one of long ago, whose servers all spoke TLS.
    JSON.stringify({ config_version: 3, ...rpc, server, oneserver: true, auto_connect: false }),
  );
  const start = (...args: string[]) => run(program, ['--regtest', '-D', dir, ...args], { timeout: SLOW_MS });
  const made = JSON.parse((await start('--offline', ...make)).stdout);
  await start('daemon', '-d');
  const headers = { authorization: `Basic ${btoa(`${rpc.rpcuser}:${rpc.rpcpassword}`)}` };
  const call: Wallet['call'] = async (method, params = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(`http://127.0.0.1:${rpc.rpcport}`, { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as ElectrumMessage;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  onTestFinished(async () => void (await call('stop')));
  await call('load_wallet');
  await waitUntil('the wallet is connected', async () => (await call('getinfo')).connected === true, SLOW_MS);
  await waitUntil('the wallet is in step', async () => (await call('is_synchronized')) === true, SLOW_MS);
  return { wallet: { call }, made };
}

/**
 * The same payment with a thousand base units less of change. `bumpfee` itself was taken out of Electrum 4.3 by Debian's security
 * update of November 2026, so the replacement is put together and signed by Electrum's other commands.
 */
async function raiseFee({ call }: Wallet, paid: string, payee: string): Promise<string> {
  const { inputs, outputs, locktime } = await call('deserialize', { tx: paid });
  for (const input of inputs) {
    const source = await call('deserialize', {
      tx: await call('gettransaction', { txid: input.prevout_hash }),
    });
    input.value_sats = source.outputs[input.prevout_n].value_sats;
    // What the first one was signed with.
    delete input.witness;
  }
  for (const output of outputs) if (output.address !== payee) output.value_sats -= 1_000;
  const tx = await call('serialize', { jsontx: { inputs, outputs, locktime } });
  return await call('signtransaction', { tx });
}

async function listTxids({ call }: Wallet): Promise<string[]> {
  const history = await call('onchain_history');
  // Newer ones give the list itself.
  return (history.transactions ?? history).map(({ txid }: { txid: string }) => txid);
}

describe.each(electrums)('$name', ({ name, program, protocol, bumpsFees }) => {
  const isMissing = missing ?? (existsSync(program) ? undefined : `${name} is not to be had here`);

  test.skipIf(isMissing !== undefined)(
    isMissing ?? `${name} receives, pays, lives through a reorganisation, and is restored from its seed`,
    async () => {
      firstAnswers = [];
      const { wallet, made } = await openWallet(program, ['create']);
      const versions = firstAnswers.flatMap((text) => JSON.parse(text.split('\n')[0]!).result[1]);
      expect(new Set(versions)).toEqual(new Set([protocol]));
      const { call } = wallet;
      const waitForBalance = (expected: Record<string, string>) =>
        waitUntil(
          `the balance is ${JSON.stringify(expected)}`,
          async () => {
            const balance = await call('getbalance');
            return Object.entries(expected).every(([key, value]) => balance[key] === value);
          },
          SLOW_MS,
        );

      const address = await call('getunusedaddress');
      const received = await node.rpc<string>('sendtoaddress', address, 1);
      await waitForBalance({ confirmed: '0', unconfirmed: '1' });
      await node.mine(1);
      await waitForBalance({ confirmed: '1' });

      const paid = await call('payto', { destination: await node.newAddress(), amount: '0.25', feerate: 2 });
      const payment = await call('broadcast', { tx: paid });
      expect(await node.rpc('getrawmempool')).toEqual([payment]);
      await waitUntil(
        'the payment is known',
        async () => (await listTxids(wallet)).includes(payment),
        SLOW_MS,
      );
      expect((await listTxids(wallet)).sort()).toEqual([payment, received].sort());
      const [block] = await node.mine(1);
      await waitUntil(
        'all is confirmed',
        async () => (await call('get_tx_status', { txid: payment })).confirmations === 1,
        SLOW_MS,
      );

      await node.rpc('invalidateblock', block);
      await node.rpc('generateblock', await node.newAddress(), []);
      await node.rpc('generateblock', await node.newAddress(), []);
      await waitUntil(
        'the payment waits again',
        async () => (await call('get_tx_status', { txid: payment })).confirmations === 0,
        SLOW_MS,
      );
      expect((await listTxids(wallet)).sort()).toEqual([payment, received].sort());
      await node.mine(1);
      await waitUntil(
        'it is confirmed again',
        async () => (await call('get_tx_status', { txid: payment })).confirmations === 1,
        SLOW_MS,
      );
      const balance = await call('getbalance');

      const { wallet: restored } = await openWallet(program, ['restore', made.seed]);
      expect(await restored.call('getbalance')).toEqual(balance);
      expect(await listTxids(restored)).toEqual(await listTxids(wallet));
    },
    300_000,
  );

  test.skipIf(isMissing !== undefined)(
    isMissing ??
      `${name} replaces a payment by one with a higher fee, and is told which of the two was mined`,
    async () => {
      const { wallet } = await openWallet(program, ['create']);
      const { call } = wallet;
      await node.rpc('sendtoaddress', await call('getunusedaddress'), 1);
      await node.mine(1);
      await waitUntil('it has money', async () => (await call('getbalance')).confirmed === '1', SLOW_MS);

      const payee = await node.newAddress();
      const paid = await call('payto', { destination: payee, amount: '0.25', feerate: 2, rbf: true });
      const first = await call('broadcast', { tx: paid });
      await waitUntil('the payment is known', async () => (await listTxids(wallet)).includes(first), SLOW_MS);

      const second = await call('broadcast', {
        tx: bumpsFees
          ? await call('bumpfee', { tx: first, new_fee_rate: 10 })
          : await raiseFee(wallet, paid, payee),
      });
      expect(second).not.toBe(first);
      expect(await node.rpc('getrawmempool')).toEqual([second]);
      await waitUntil(
        'the first is gone',
        async () => {
          const txids = await listTxids(wallet);
          return txids.includes(second) && !txids.includes(first);
        },
        SLOW_MS,
      );
      await node.mine(1);
      await waitUntil(
        'the second is confirmed',
        async () => (await call('get_tx_status', { txid: second })).confirmations === 1,
        SLOW_MS,
      );
      const { confirmed, unconfirmed } = await call('getbalance');
      expect([Number(confirmed) < 0.75, Number(confirmed) > 0.7499, unconfirmed]).toEqual([
        true,
        true,
        undefined,
      ]);
    },
    300_000,
  );
});
