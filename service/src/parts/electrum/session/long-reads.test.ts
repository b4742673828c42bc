import { Socket } from 'node:net';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../../test/harness/litecoind.ts';
import { type ElectrumFixture, startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { makeTx, sha256Of } from '../../../testing/fixture-chain.ts';
import { miner, scriptOf } from '../../../testing/fixture-server.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { createKnownLong, LongReadError } from './long-reads.ts';

const SCRIPT = Uint8Array.of(0x51, 0x52, 0x53);
const SCRIPT_HASH = bytesToHex(sha256Of(SCRIPT).toReversed());
const AT_ONCE = 8;

type Opened = {
  server: ElectrumFixture;
  heard: string[];
  places: { now: number; most: number; all: number };
};

/** A server that lets one client after another read what is long, one each. */
async function open(units: number): Promise<Opened> {
  const places = { now: 0, most: 0, all: 0 };
  let last = Promise.resolve();
  const server = await startElectrumFixture({
    listens: false,
    units,
    async enterLarge() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      places.now++;
      places.all++;
      places.most = Math.max(places.most, places.now);
      return () => {
        places.now--;
        resolve();
      };
    },
  });
  onTestFinished(() => server.finish(0));
  return { server, heard: [], places };
}

function beginSession({ server, heard }: Opened) {
  const socket = new Socket();
  const { take } = server.sessions.begin({
    address: '192.0.2.1',
    socket,
    send: (messages) => heard.push(...messages),
    pause() {},
    resume() {},
    end: () => void socket.destroy(),
  })!;
  return (method: string, params: unknown[]): void =>
    take(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

/** Mines one transaction that pays the script so often, and so many that spend one of these each to the script. */
function minePaid({ chain }: ElectrumFixture, outputs: number, spends = 0): void {
  const coin = chain.txs.find(({ position }) => position === 0)!;
  const paid = Array.from({ length: outputs }, () => ({ value: 1_000n, script: SCRIPT }));
  const fan = makeTx([{ txid: coin.txid, vout: 0 }], paid);
  chain.addBlock(scriptOf(miner), [fan]);
  if (spends === 0) return;
  const txid = txidOf(fan);
  const txs = Array.from({ length: spends }, (_, vout) =>
    makeTx([{ txid, vout }], [{ value: 900n, script: SCRIPT }]),
  );
  chain.addBlock(scriptOf(miner), txs);
}

const isRefused = (text: string): boolean => text.includes('excessive resource usage');

async function answersOf(opened: Opened, method: string, params: unknown[]): Promise<string[]> {
  const call = beginSession(opened);
  for (let i = 0; i < AT_ONCE; i++) call(method, params);
  await waitUntil('all are answered', async () => opened.heard.length === AT_ONCE);
  return opened.heard;
}

for (const [method, outputs, spends] of [
  ['get_history', 600, 600],
  ['listunspent', 900, 0],
] as const)
  test(`of long reads by ${method} that begin at once each meets what those before it have cost`, async () => {
    const opened = await open(2);
    minePaid(opened.server, outputs, spends);
    const answers = await answersOf(opened, `blockchain.scripthash.${method}`, [SCRIPT_HASH]);
    expect(isRefused(answers[0]!)).toBe(false);
    expect(answers.filter(isRefused).length).toBeGreaterThanOrEqual(5);
    expect(opened.places.most).toBe(1);
  });

test('of large transactions that are asked for at once each meets what those before it have cost', async () => {
  const opened = await open(20);
  const { chain } = opened.server;
  const coin = chain.txs.find(({ position }) => position === 0)!;
  const witness = Array.from({ length: 200_000 }, () => Uint8Array.of(1));
  const tx = makeTx([{ txid: coin.txid, vout: 0 }], [{ value: 1_000n, script: SCRIPT }], witness);
  chain.addBlock(scriptOf(miner), [tx]);
  const answers = await answersOf(opened, 'blockchain.transaction.get', [toDisplayHash(txidOf(tx))]);
  expect(isRefused(answers[0]!)).toBe(false);
  expect(answers.filter(isRefused).length).toBeGreaterThanOrEqual(5);
  expect(opened.places.most).toBe(1);
});

test('a list that nobody gets is refused before it is read, and finding that out is paid for', async () => {
  const opened = await open(1);
  minePaid(opened.server, 50_001);
  const call = beginSession(opened);
  call('blockchain.scripthash.listunspent', [SCRIPT_HASH]);
  await waitUntil('it is answered', async () => opened.heard.length === 1);
  expect(opened.heard[0]).toContain('history too large');
  expect(opened.places.all).toBe(0);
  await waitUntil('there is nothing left', async () => {
    call('blockchain.scripthash.listunspent', [SCRIPT_HASH]);
    return isRefused(opened.heard.at(-1)!);
  });
  expect(opened.heard.length).toBeLessThan(10);
});

test('that nobody gets a list is remembered for two seconds, and what a long one costs for longer', () => {
  let nowMs = 0;
  const known = createKnownLong(() => nowMs);
  const refused = new LongReadError(0.5, new RpcError('refused', 'history too large'));
  known.set('refused', refused);
  known.set('long', new LongReadError(3));
  nowMs = 1_999;
  expect(known.get('refused')).toBe(refused);
  nowMs = 2_000;
  expect(known.get('refused')).toBeUndefined();
  expect(known.get('long')?.units).toBe(3);
});

test('calls that begin at once about a list that nobody gets look at it once', async () => {
  const opened = await open(1_000);
  minePaid(opened.server, 50_001);
  const before = opened.server.counts.reads;
  const answers = await answersOf(opened, 'blockchain.scripthash.listunspent', [SCRIPT_HASH]);
  expect(answers.every((answer) => answer.includes('history too large'))).toBe(true);
  expect(opened.server.counts.reads - before).toBe(1);
});
