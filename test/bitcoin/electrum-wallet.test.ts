import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { findFreePort } from '../../scripts/free-ports.ts';
import type { ElectrumMessage } from '../harness/electrum-client.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);
const PROGRAM = '/usr/bin/electrum';
const { missing } = findBitcoinNode();
const isMissing =
  missing ?? (existsSync(PROGRAM) ? undefined : 'Electrum is not installed: apt-get install electrum');
const SLOW_MS = 40_000;

/** Electrum on the command line, with a wallet in a folder of its own. */
type Wallet = {
  call(...args: string[]): Promise<ElectrumMessage>;
};

let node: TestNode;
let service: TestService;
let port: number;
let folder: string;

beforeAll(async () => {
  if (isMissing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'coinfront-electrum-'));
  node = await startNode();
  await node.mine(110);
  port = await findFreePort();
  service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: join(folder, 'service') },
    settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}` },
  });
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs Electrum in a folder; `make` gives it its wallet before it goes online. */
async function openWallet(name: string, make: string[]): Promise<{ wallet: Wallet; made: ElectrumMessage }> {
  const dir = join(folder, name);
  const call = async (...args: string[]): Promise<ElectrumMessage> => {
    const { stdout } = await run(PROGRAM, ['--regtest', '-D', dir, ...args], { timeout: SLOW_MS });
    const text = stdout.trim();
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const made = await call('--offline', ...make);
  for (const [key, value] of [
    ['rpcport', String(await findFreePort())],
    ['server', `127.0.0.1:${port}:t`],
    ['oneserver', 'true'],
    ['auto_connect', 'false'],
    ['dynamic_fees', 'false'],
  ] as const)
    await call('--offline', 'setconfig', key, value);
  await call('daemon', '-d');
  await call('load_wallet');
  const wallet: Wallet = { call };
  onTestFinished(() => call('stop'));
  await waitUntil('the wallet is connected', async () => (await call('getinfo')).connected === true, SLOW_MS);
  await waitUntil('the wallet is in step', async () => (await call('is_synchronized')) === true, SLOW_MS);
  return { wallet, made };
}

/**
 * The same payment with a thousand base units less of change. `bumpfee` itself was taken out of this Electrum by Debian's security
 * update of November 2026, so the replacement is put together and signed by Electrum's other commands.
 */
async function raiseFee({ call }: Wallet, paid: string, payee: string): Promise<string> {
  const { inputs, outputs, locktime } = await call('deserialize', paid);
  for (const input of inputs) {
    const source = await call('deserialize', await call('gettransaction', input.prevout_hash));
    input.value_sats = source.outputs[input.prevout_n].value_sats;
    // What the first one was signed with.
    delete input.witness;
  }
  for (const output of outputs) if (output.address !== payee) output.value_sats -= 1_000;
  return await call(
    'signtransaction',
    await call('serialize', JSON.stringify({ inputs, outputs, locktime })),
  );
}

const listTxids = async ({ call }: Wallet): Promise<string[]> =>
  (await call('onchain_history')).transactions.map(({ txid }: { txid: string }) => txid);

test.skipIf(isMissing !== undefined)(
  isMissing ?? 'Electrum receives, pays, lives through a reorganisation, and is restored from its seed',
  async () => {
    const { wallet, made } = await openWallet('first', ['create']);
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

    const paid = await call('payto', await node.newAddress(), '0.25', '--feerate', '2');
    const payment = await call('broadcast', paid);
    expect(await node.rpc('getrawmempool')).toEqual([payment]);
    await waitUntil('the payment is known', async () => (await listTxids(wallet)).includes(payment), SLOW_MS);
    expect((await listTxids(wallet)).sort()).toEqual([payment, received].sort());
    const [block] = await node.mine(1);
    await waitUntil(
      'all is confirmed',
      async () => (await call('get_tx_status', payment)).confirmations === 1,
      SLOW_MS,
    );

    await node.rpc('invalidateblock', block);
    await node.rpc('generateblock', await node.newAddress(), []);
    await node.rpc('generateblock', await node.newAddress(), []);
    await waitUntil(
      'the payment waits again',
      async () => (await call('get_tx_status', payment)).confirmations === 0,
      SLOW_MS,
    );
    expect((await listTxids(wallet)).sort()).toEqual([payment, received].sort());
    await node.mine(1);
    await waitUntil(
      'it is confirmed again',
      async () => (await call('get_tx_status', payment)).confirmations === 1,
      SLOW_MS,
    );
    const balance = await call('getbalance');

    const { wallet: restored } = await openWallet('second', ['restore', made.seed]);
    expect(await restored.call('getbalance')).toEqual(balance);
    expect(await listTxids(restored)).toEqual(await listTxids(wallet));
  },
  300_000,
);

test.skipIf(isMissing !== undefined)(
  isMissing ?? 'Electrum replaces a payment by one with a higher fee, and is told which of the two was mined',
  async () => {
    const { wallet } = await openWallet('bumping', ['create']);
    const { call } = wallet;
    await node.rpc('sendtoaddress', await call('getunusedaddress'), 1);
    await node.mine(1);
    await waitUntil('it has money', async () => (await call('getbalance')).confirmed === '1', SLOW_MS);

    const payee = await node.newAddress();
    const paid = await call('payto', payee, '0.25', '--feerate', '2', '--rbf', 'true');
    const first = await call('broadcast', paid);
    await waitUntil('the payment is known', async () => (await listTxids(wallet)).includes(first), SLOW_MS);

    const second = await call('broadcast', await raiseFee(wallet, paid, payee));
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
      async () => (await call('get_tx_status', second)).confirmations === 1,
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
