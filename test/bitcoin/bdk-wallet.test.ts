import { createHash } from 'node:crypto';
import {
  Address,
  Amount,
  EsploraClient,
  FeeRate,
  Recipient,
  seed_to_descriptor,
  type Transaction,
  Txid,
  Wallet,
} from 'bitcoindevkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

// The Bitcoin Dev Kit as it comes from the registry: its wallet, and its client of Esplora.

const { missing } = findBitcoinNode();
const STOP_GAP = 10;
const PARALLEL = 4;
const COIN = 100_000_000n;

let node: TestNode;

beforeAll(async () => {
  if (missing !== undefined) return;
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node?.stop());

forEachEngine('the Bitcoin Dev Kit over Esplora', (engine) => {
  let service: TestService;
  let client: EsploraClient;

  beforeAll(async () => {
    if (missing !== undefined) return;
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    client = new EsploraClient(`${service.origin}/esplora`);
  });
  afterAll(() => service?.stop());

  /** A wallet that knows nothing of the chain yet; the same words give the same wallet. */
  function openWallet(words: string): Wallet {
    const seed = createHash('sha512').update(`${words} ${engine.kind}`).digest();
    const { external, internal } = seed_to_descriptor(seed, 'regtest', 'p2wpkh');
    return Wallet.create('regtest', external, internal);
  }
  const scan = async (wallet: Wallet) =>
    wallet.apply_update(await client.full_scan(wallet.start_full_scan(), STOP_GAP, PARALLEL));
  const sync = async (wallet: Wallet) =>
    wallet.apply_update(await client.sync(wallet.start_sync_with_revealed_spks(), PARALLEL));
  const balanceOf = ({ balance }: Wallet) => ({
    confirmed: balance.confirmed.to_sat(),
    pending: balance.trusted_pending.to_sat() + balance.untrusted_pending.to_sat(),
  });
  const sumOf = (wallet: Wallet) => {
    const { confirmed, pending } = balanceOf(wallet);
    return confirmed + pending;
  };
  /** Each transaction with the height of its block; undefined while it waits. */
  const historyOf = (wallet: Wallet) =>
    new Map(
      wallet
        .transactions()
        .map(({ txid, chain_position }) => [
          txid.toString(),
          chain_position.is_confirmed ? chain_position.anchor?.block_id.height : undefined,
        ]),
    );

  test.skipIf(missing !== undefined)(
    missing ?? 'a wallet is found by a full scan, pays, lives through a reorganisation, and is found again',
    async () => {
      const wallet = openWallet('first');
      const used = wallet.reveal_addresses_to('external', 7);
      const received = [];
      for (const { address } of [used[0]!, used[3]!, used[7]!])
        received.push(await node.rpc<string>('sendtoaddress', address.toString(), 1));
      await node.mine(1);
      await service.waitForTip();

      const restored = openWallet('first');
      await scan(restored);
      expect(balanceOf(restored)).toEqual({ confirmed: 3n * COIN, pending: 0n });
      expect([...historyOf(restored).keys()].sort()).toEqual(received.toSorted());
      expect(restored.latest_checkpoint.hash).toBe(await node.rpc('getbestblockhash'));
      expect(restored.reveal_next_address('external').index).toBe(8);

      const payee = Address.from_string(await node.newAddress(), 'regtest');
      const psbt = restored
        .build_tx()
        .add_recipient(new Recipient(payee, Amount.from_sat(COIN / 4n)))
        .fee_rate(new FeeRate(2n))
        .finish();
      expect(restored.sign(psbt)).toBe(true);
      const fee = psbt.fee().to_sat();
      const payment = psbt.extract_tx();
      const txid = payment.compute_txid().toString();
      await client.broadcast(payment);
      expect(await node.rpc('getrawmempool')).toEqual([txid]);
      const paid = 3n * COIN - COIN / 4n - fee;
      await sync(restored);
      expect(historyOf(restored).get(txid)).toBeUndefined();
      expect(sumOf(restored)).toBe(paid);

      const [block] = await node.mine(1);
      await service.waitForTip();
      await sync(restored);
      const height = await node.rpc<number>('getblockcount');
      expect(historyOf(restored).get(txid)).toBe(height);
      expect(balanceOf(restored)).toEqual({ confirmed: paid, pending: 0n });

      await node.rpc('invalidateblock', block);
      await node.rpc('generateblock', await node.newAddress(), []);
      await node.rpc('generateblock', await node.newAddress(), []);
      await service.waitForTip();
      await service.waitForMempool();
      await sync(restored);
      expect(restored.latest_checkpoint.hash).toBe(await node.rpc('getbestblockhash'));
      expect(historyOf(restored).has(txid)).toBe(true);
      expect(historyOf(restored).get(txid)).toBeUndefined();
      expect(sumOf(restored)).toBe(paid);

      await node.mine(1);
      await service.waitForTip();
      await sync(restored);
      expect(historyOf(restored).get(txid)).toBe(height + 2);
      expect(balanceOf(restored)).toEqual({ confirmed: paid, pending: 0n });

      const again = openWallet('first');
      await scan(again);
      expect(historyOf(again)).toEqual(historyOf(restored));
      expect(balanceOf(again)).toEqual(balanceOf(restored));
    },
    120_000,
  );

  test.skipIf(missing !== undefined)(
    'a transaction is read by its id, or is not there; fees are estimated or not known',
    async () => {
      const [hash] = await node.mine(1);
      await service.waitForTip();
      const { tx } = await node.rpc<{ tx: [string] }>('getblock', hash);
      const found = await client.get_tx(Txid.from_string(tx[0]));
      expect(found?.compute_txid().toString()).toBe(tx[0]);
      expect(await client.get_tx(Txid.from_string('0'.repeat(64)))).toBeUndefined();
      expect((await client.get_fee_estimates()).get(6)).toBeOneOf([undefined, expect.any(Number)]);
    },
  );

  test.skipIf(missing !== undefined)('what the node refuses is told in its words', async () => {
    const wallets = [openWallet('second'), openWallet('second')];
    const [address] = wallets.map((each) => each.reveal_next_address('external').address.toString());
    await node.rpc('sendtoaddress', address, 1);
    await node.mine(1);
    await service.waitForTip();
    const txs: Transaction[] = [];
    for (const [index, wallet] of wallets.entries()) {
      await sync(wallet);
      const psbt = wallet
        .build_tx()
        .drain_wallet()
        .drain_to(Address.from_string(address!, 'regtest'))
        .fee_rate(new FeeRate(2n + BigInt(index)))
        .finish();
      wallet.sign(psbt);
      txs.push(psbt.extract_tx());
    }
    await client.broadcast(txs[0]!);
    await node.mine(1);
    await service.waitForTip();
    await expect(client.broadcast(txs[1]!)).rejects.toThrow(/400.*inputs/s);
  });
});
