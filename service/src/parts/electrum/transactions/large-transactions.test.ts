import { Socket } from 'node:net';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../../test/harness/litecoind.ts';
import { type ElectrumFixture, startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { makeTx } from '../../../testing/fixture-chain.ts';
import { miner, payee, scriptOf } from '../../../testing/fixture-server.ts';

/** Answers of all sessions, in the order in which they are sent: the ids of their calls. */
type Heard = { id: unknown; text: string }[];

async function open(units?: number): Promise<{ server: ElectrumFixture; heard: Heard }> {
  const server = await startElectrumFixture({ listens: false, ...(units === undefined ? {} : { units }) });
  onTestFinished(() => server.finish(0));
  return { server, heard: [] };
}

function beginSession({ server, heard }: Awaited<ReturnType<typeof open>>) {
  const socket = new Socket();
  const { take } = server.sessions.begin({
    address: '192.0.2.1',
    socket,
    send: (messages) => heard.push(...messages.map((text) => ({ id: JSON.parse(text).id, text }))),
    pause() {},
    resume() {},
    end: () => void socket.destroy(),
  })!;
  return (method: string, params: unknown[], id?: unknown): void =>
    take(JSON.stringify({ jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) }));
}

/** Mines a transaction with so many witness items; its display txid and its bytes. */
function mineWide({ chain }: ElectrumFixture, items: number): { txid: string; hex: string } {
  const coin = chain.txs.find(({ position }) => position === 0)!;
  const outputs = [{ value: 1_000n, script: scriptOf(payee) }];
  const witness = Array.from({ length: items }, (_, i) => Uint8Array.of(i & 255));
  const tx = makeTx([{ txid: coin.txid, vout: 0 }], outputs, witness);
  chain.addBlock(scriptOf(miner), [tx]);
  const hex = Buffer.from(serializeTransaction(tx, { witness: true })).toString('hex');
  return { txid: toDisplayHash(txidOf(tx)), hex };
}

test('who asks for a transaction of many witness items in words keeps nobody else from an answer, and gets all of them', async () => {
  const opened = await open();
  const { txid, hex } = mineWide(opened.server, 200_000);
  const [first, second] = [beginSession(opened), beginSession(opened)];
  first('blockchain.transaction.get', [txid, true], 'large');
  second('server.ping', [], 'small');
  await waitUntil('both are answered', async () => opened.heard.length === 2);
  expect(opened.heard.map(({ id }) => id)).toEqual(['small', 'large']);
  const { result } = JSON.parse(opened.heard[1]!.text);
  expect([result.txid, result.hex]).toEqual([txid, hex]);
  const { txinwitness } = result.vin[0];
  expect([txinwitness.length, txinwitness[0], txinwitness.at(-1)]).toEqual([200_000, '00', '3f']);
});

test('a large transaction in words is refused before it is written to whoever cannot pay for its bytes', async () => {
  const opened = await open(5);
  const { txid } = mineWide(opened.server, 200_000);
  const call = beginSession(opened);
  call('blockchain.transaction.get', [txid, true], 1);
  await waitUntil('it is answered', async () => opened.heard.length === 1);
  expect(opened.heard[0]!.text).toContain('excessive resource usage');
});

test('a call whose answer nobody wants is paid for like one whose answer is sent', async () => {
  const opened = await open(10);
  const { txid } = mineWide(opened.server, 200_000);
  const call = beginSession(opened);
  call('blockchain.transaction.get', [txid]);
  call('blockchain.transaction.get', [txid]);
  await waitUntil('all is done', async () => {
    call('server.ping', [], 'ping');
    return opened.heard.at(-1)?.text.includes('excessive resource usage') === true;
  });
  expect(opened.heard.every(({ id }) => id === 'ping')).toBe(true);
});
