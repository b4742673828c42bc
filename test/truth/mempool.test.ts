import { sha256 } from '@coinfront/protocol/hash.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  mineExactly,
  openPurse,
  type RawCoin,
  type RawTx,
  send,
  spend,
} from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { coins } from './node-chain.ts';
import { getJson } from './read-api.ts';

const VALUE = 1_000_000n;
const FEE = 1_000n;
/** Says that a transaction may be replaced (BIP-125). */
const REPLACEABLE = 0xffff_fffd;

let node: TestNode;
let nextCoin: () => RawCoin;
/** Owners that no other test pays. */
let lastOwner = 100;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 60, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('the mempool', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  /** A confirmed coin of an owner that has nothing else. */
  async function mineCoinOf(owner: number): Promise<RawCoin> {
    const tx = spend([nextCoin()], [{ value: VALUE - FEE, owner }]);
    await service.waitForTip(await mineExactly(node, [tx]));
    return tx.coins[0]!;
  }

  /** Sends to the node, and waits until the service has the same mempool. */
  async function sendAll(...txs: RawTx[]): Promise<void> {
    for (const tx of txs) await send(node, tx);
    await service.waitForMempool();
  }

  const readTx = (tx: RawTx) => getJson(service, `/api/v1/tx/${tx.txid}`);
  const readAddress = (owner: number) => getJson(service, `/api/v1/address/${addressOfOwner(owner)}`);
  const listUtxos = async (owner: number) =>
    (await getJson(service, `/api/v1/utxos/${addressOfOwner(owner)}`)).items;
  const statusOf = async (tx: RawTx) => (await service.get(`/api/v1/tx/${tx.txid}`)).status;

  test('an unconfirmed payment shows as such everywhere: what it spends is marked, what it makes is marked', async () => {
    const [payer, payee] = [nextOwner(), nextOwner()];
    const coin = await mineCoinOf(payer);
    const payment = spend(
      [coin],
      [
        { value: 300_000n, owner: payee },
        { value: 600_000n, owner: payer },
      ],
    );
    const before = new Date().toISOString();
    await sendAll(payment);

    const shown = await readTx(payment);
    expect(shown).toMatchObject({
      confirmed: false,
      confirmations: 0,
      block: null,
      fee: coins(coin.value - 900_000n),
    });
    expect(shown.inputs[0].prevout).toMatchObject({
      value: coins(coin.value),
      address: addressOfOwner(payer),
    });
    expect(shown.first_seen >= before && shown.first_seen <= new Date().toISOString()).toBe(true);
    expect((await service.get(`/api/v1/tx/${payment.txid}/proof`)).json.code).toBe('proof_unavailable');

    const parent = await getJson(service, `/api/v1/tx/${coin.txid}`);
    expect(parent.outputs[coin.vout].spent_by).toEqual({ txid: payment.txid, vin: 0, height: null });

    const unconfirmed = (vout: number, value: bigint) => ({
      txid: payment.txid,
      vout,
      value: coins(value),
      height: null,
      confirmations: 0,
      coinbase: false,
      spendable: true,
      spent_in_mempool: false,
      spendable_from_height: null,
    });
    const address = await readAddress(payer);
    expect(address).toMatchObject({
      balance: coins(coin.value),
      confirmed: { tx_count: 1, balance: coins(coin.value) },
      mempool: {
        tx_count: 1,
        received_count: 1,
        received: coins(600_000n),
        spent_count: 1,
        spent: coins(coin.value),
        balance: coins(600_000n - coin.value),
      },
    });
    expect(address.utxos.items).toEqual([
      expect.objectContaining({
        txid: coin.txid,
        value: coins(coin.value),
        spendable: false,
        spent_in_mempool: true,
      }),
      unconfirmed(1, 600_000n),
    ]);
    expect(await listUtxos(payer)).toEqual([unconfirmed(1, 600_000n)]);
    expect(await listUtxos(payee)).toEqual([unconfirmed(0, 300_000n)]);
    const { items } = await getJson(service, `/api/v1/address/${addressOfOwner(payer)}/txs`);
    expect(items[0]).toMatchObject({
      txid: payment.txid,
      delta: coins(600_000n - coin.value),
      confirmed: false,
    });
    expect(items[1]).toMatchObject({ delta: coins(coin.value), confirmed: true });
    await service.waitForTip((await node.mine(1))[0]);
  });

  test('what nobody can ever spend is not listed as unspent, unconfirmed or not', async () => {
    const carrier = Uint8Array.of(0x6a, 4, ...Buffer.from(String(nextOwner()).padStart(4, '0')));
    const tx = spend(
      [nextCoin()],
      [
        { value: VALUE - FEE, owner: nextOwner() },
        { value: 0n, script: carrier },
      ],
    );
    await sendAll(tx);
    const hash = Buffer.from(sha256(carrier)).toString('hex');
    const read = (path: string) => getJson(service, `/esplora/scripthash/${hash}${path}`);
    expect(await read('/txs/mempool')).toMatchObject([{ txid: tx.txid }]);
    expect(await read('/utxo')).toEqual([]);
    await service.waitForTip((await node.mine(1))[0]);
    expect(await read('/txs/chain')).toMatchObject([{ txid: tx.txid }]);
    expect(await read('/utxo')).toEqual([]);
  });

  test('of a chain of unconfirmed transactions only the last outputs are unspent', async () => {
    const [start, middle, end] = [nextOwner(), nextOwner(), nextOwner()];
    const coin = await mineCoinOf(start);
    const chain = [spend([coin], [{ value: coin.value - FEE, owner: middle }])];
    for (let step = 2; step <= 6; step += 1) {
      const value = coin.value - BigInt(step) * FEE;
      chain.push(spend([chain.at(-1)!.coins[0]!], [{ value, owner: step === 6 ? end : middle }]));
    }
    await sendAll(...chain);
    expect(await listUtxos(start)).toEqual([]);
    expect(await listUtxos(middle)).toEqual([]);
    expect(await listUtxos(end)).toMatchObject([{ txid: chain.at(-1)!.txid, height: null }]);
    expect((await readAddress(middle)).mempool).toMatchObject({
      tx_count: 6,
      received_count: 5,
      spent_count: 5,
    });
    for (const [i, tx] of chain.entries()) {
      const { fee, inputs, outputs } = await readTx(tx);
      expect([fee, inputs[0].prevout.value]).toEqual([coins(FEE), coins(coin.value - BigInt(i) * FEE)]);
      const next = chain[i + 1];
      expect(outputs[0].spent_by).toEqual(next ? { txid: next.txid, vin: 0, height: null } : null);
    }

    await service.waitForTip((await node.mine(1))[0]);
    const { mempool, confirmed } = await readAddress(middle);
    expect(mempool).toMatchObject({ tx_count: 0, received: '0.00000000', spent: '0.00000000' });
    expect(confirmed).toMatchObject({
      tx_count: 6,
      received_count: 5,
      spent_count: 5,
      balance: '0.00000000',
    });
    expect(await listUtxos(end)).toMatchObject([{ txid: chain.at(-1)!.txid, confirmations: 1 }]);
  });

  /** Reads a payment of an owner to itself until it is confirmed, or not; it must be there each time, and count once. */
  async function watchPayment(
    payment: RawTx,
    owner: number,
    until: 'confirmed' | 'unconfirmed',
  ): Promise<void> {
    const sums = new Set<string>();
    for (let shown = { confirmed: until !== 'confirmed' }; shown.confirmed !== (until === 'confirmed'); ) {
      const [answer, address] = await Promise.all([
        service.get(`/api/v1/tx/${payment.txid}`),
        readAddress(owner),
      ]);
      expect(answer.status).toBe(200);
      shown = answer.json;
      const [chain, pending] = [address.confirmed.balance, address.mempool.balance].map((text) =>
        BigInt(text.replace('.', '')),
      );
      sums.add(coins(chain! + pending!));
    }
    expect([...sums]).toEqual([coins(payment.coins[0]!.value)]);
  }

  test('a payment is never nowhere, and never twice, while its block comes', async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = nextOwner();
      const coin = await mineCoinOf(owner);
      const payment = spend([coin], [{ value: coin.value - FEE, owner }]);
      await sendAll(payment);
      await Promise.all([node.mine(1), watchPayment(payment, owner, 'confirmed')]);
    }
  });

  test('a payment is never nowhere, and never twice, while its block goes and comes again', async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = nextOwner();
      const coin = await mineCoinOf(owner);
      const payment = spend([coin], [{ value: coin.value - FEE, owner }]);
      const hash = await mineExactly(node, [payment]);
      await service.waitForTip(hash);
      await Promise.all([node.rpc('invalidateblock', hash), watchPayment(payment, owner, 'unconfirmed')]);
      await Promise.all([node.mine(1), watchPayment(payment, owner, 'confirmed')]);
    }
  });

  test('a replaced transaction and what was built on it vanish, and what it spent belongs to the replacement', async () => {
    const [first, second, third] = [nextOwner(), nextOwner(), nextOwner()];
    const coin = nextCoin();
    const replaced = spend([coin], [{ value: VALUE - FEE, owner: first }], { sequence: REPLACEABLE });
    const child = spend(replaced.coins, [{ value: VALUE - 2n * FEE, owner: second }]);
    await sendAll(replaced, child);
    expect((await readTx(replaced)).rbf_signaled).toBe(true);
    const replacement = spend([coin], [{ value: VALUE - 10n * FEE, owner: third }]);
    await sendAll(replacement);

    expect([await statusOf(replaced), await statusOf(child)]).toEqual([404, 404]);
    for (const owner of [first, second]) {
      expect((await readAddress(owner)).mempool).toMatchObject({
        tx_count: 0,
        received_count: 0,
        spent_count: 0,
      });
      expect(await listUtxos(owner)).toEqual([]);
    }
    expect(await listUtxos(third)).toMatchObject([
      { txid: replacement.txid, value: coins(VALUE - 10n * FEE) },
    ]);
    const parent = await getJson(service, `/api/v1/tx/${coin.txid}`);
    expect(parent.outputs[coin.vout].spent_by.txid).toBe(replacement.txid);
    expect((await getJson(service, '/api/v1/status')).mempool).toMatchObject({
      tx_count: 1,
      fees: coins(10n * FEE),
    });
    await service.waitForTip((await node.mine(1))[0]);
  });

  test('the loser of a double spend vanishes with its descendants when a block has the winner', async () => {
    const [loserOwner, childOwner, winnerOwner] = [nextOwner(), nextOwner(), nextOwner()];
    const [coin, other] = [nextCoin(), nextCoin()];
    const loser = spend([other, coin], [{ value: VALUE, owner: loserOwner }]);
    const child = spend(loser.coins, [{ value: VALUE - FEE, owner: childOwner }]);
    await sendAll(loser, child);
    const winner = spend([coin], [{ value: VALUE - FEE, owner: winnerOwner }]);
    await service.waitForTip(await mineExactly(node, [winner]));

    expect([await statusOf(loser), await statusOf(child), await statusOf(winner)]).toEqual([404, 404, 200]);
    expect((await readAddress(loserOwner)).mempool).toMatchObject({ tx_count: 0, received_count: 0 });
    expect(await listUtxos(childOwner)).toEqual([]);
    expect(await listUtxos(winnerOwner)).toMatchObject([{ txid: winner.txid, confirmations: 1 }]);
    const parent = await getJson(service, `/api/v1/tx/${coin.txid}`);
    const height = await node.rpc('getblockcount');
    expect(parent.outputs[coin.vout].spent_by).toEqual({ txid: winner.txid, vin: 0, height });
    // The other coin of the loser is free again.
    const others = await getJson(service, `/api/v1/tx/${other.txid}`);
    expect(others.outputs[other.vout].spent_by).toBeNull();
    expect((await getJson(service, '/api/v1/status')).mempool.tx_count).toBe(0);
  });

  test('a transaction of a disconnected block waits in the mempool again, and its conflict can win then', async () => {
    const [first, second] = [nextOwner(), nextOwner()];
    const [coin, other] = [nextCoin(), nextCoin()];
    const payment = spend([coin], [{ value: VALUE - FEE, owner: first }]);
    const returning = spend([other], [{ value: VALUE - FEE, owner: first }]);
    const hash = await mineExactly(node, [payment, returning]);
    await service.waitForTip(hash);
    expect((await readTx(payment)).confirmations).toBe(1);

    await node.rpc('invalidateblock', hash);
    await service.waitForTip();
    await service.waitForMempool();
    expect(await readTx(payment)).toMatchObject({ confirmed: false, block: null });
    expect(await readAddress(first)).toMatchObject({
      confirmed: { tx_count: 0 },
      mempool: { tx_count: 2, received: coins(2n * (VALUE - FEE)) },
    });

    const conflict = spend([coin], [{ value: VALUE - 2n * FEE, owner: second }]);
    await service.waitForTip(await mineExactly(node, [conflict]));
    expect([await statusOf(payment), await statusOf(conflict)]).toEqual([404, 200]);
    expect(await readTx(returning)).toMatchObject({ confirmed: false });
    await service.waitForTip((await node.mine(1))[0]);
    expect(await readTx(returning)).toMatchObject({ confirmations: 1 });
    expect((await readAddress(first)).mempool.tx_count).toBe(0);
  });

  test('the mempool and when it was seen outlive a restart of the service and of the node', async () => {
    const owner = nextOwner();
    const parent = spend([nextCoin()], [{ value: VALUE - FEE, owner }]);
    const child = spend(parent.coins, [{ value: VALUE - 2n * FEE, owner }]);
    await sendAll(parent, child);
    const before = await readTx(child);

    await service.kill();
    await node.restart();
    await service.start();
    await service.waitForMempool();
    expect(await readTx(child)).toEqual(before);
    expect((await readAddress(owner)).mempool).toMatchObject({
      tx_count: 2,
      received_count: 2,
      spent_count: 1,
    });
    await service.waitForTip((await node.mine(1))[0]);
    expect((await readTx(child)).confirmed).toBe(true);
  });

  test('what the node drops without a block is dropped here, too', async () => {
    const owner = nextOwner();
    const dropped = spend([nextCoin()], [{ value: VALUE - FEE, owner }]);
    await sendAll(dropped);
    expect(await listUtxos(owner)).toHaveLength(1);
    // The node forgets what waits for more than 336 hours, when the next transaction comes.
    await node.rpc('setmocktime', Math.floor(Date.now() / 1000) + 337 * 3_600);
    const next = await send(node, spend([nextCoin()], [{ value: VALUE - FEE, owner: nextOwner() }]));
    await node.rpc('setmocktime', 0);
    await service.waitForMempool();
    expect([await statusOf(dropped), await statusOf(next)]).toEqual([404, 200]);
    expect(await listUtxos(owner)).toEqual([]);
    expect((await getJson(service, '/api/v1/status')).mempool).toMatchObject({
      tx_count: 1,
      fees: coins(FEE),
    });
  });
});
