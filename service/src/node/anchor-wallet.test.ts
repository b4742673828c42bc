import { expect, test } from 'vitest';
import { startNode } from '../../../test/harness/litecoind.ts';
import { createAnchorWallet } from './anchor-wallet.ts';

test('a taken coin that is spent while the wallet is told of it is no matter: another one is used', async () => {
  const node = await startNode();
  try {
    await node.mine(110);
    const wallet = createAnchorWallet(node.client, { maxFee: '0.1', decimals: 8 });
    const to = await node.newAddress();
    let spent: readonly string[] = [];
    const signed = await wallet.sign('00'.repeat(36), async (coins) => {
      if (spent.length > 0) return coins.filter((coin) => spent.includes(coin));
      spent = coins;
      const inputs = coins.map((coin) => ({ txid: coin.slice(0, 64), vout: Number(coin.slice(65)) }));
      const raw = await node.rpc<string>('createrawtransaction', inputs, [{ [to]: 49 }]);
      const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
      // With the fee that is left: 1 coin.
      await node.rpc('sendrawtransaction', hex, 0);
      await node.rpc('listunspent');
      return [...coins];
    });
    expect(spent).not.toHaveLength(0);
    expect(signed.coins.some((coin) => spent.includes(coin))).toBe(false);
  } finally {
    await node.stop();
  }
});

test('what waits is paid for by what is added behind it, within the bound, and only where nothing else builds on it', async () => {
  const node = await startNode();
  try {
    await node.mine(101);
    const maxFee = 0.001;
    const wallet = createAnchorWallet(node.client, { maxFee: String(maxFee), decimals: 8 });
    const free = async () => [];
    const send = async ({ rawTxHex, txid }: { rawTxHex: string; txid: string }) => {
      expect(await node.rpc('sendrawtransaction', rawTxHex)).toBe(txid);
      // The wallet has heard of it.
      await node.rpc('getbalances');
    };
    const readPackage = async (txid: string) => {
      const entry = await node.rpc<{ ancestorsize: number; fees: { ancestor: number } }>(
        'getmempoolentry',
        txid,
      );
      return { fees: entry.fees.ancestor, rate: entry.fees.ancestor / entry.ancestorsize };
    };
    const first = await wallet.sign('00'.repeat(36), free);
    await send(first);
    const second = await wallet.sign('01'.repeat(36), free);
    expect(second.coins.map((coin) => coin.slice(0, 64))).toEqual([first.txid]);
    await send(second);

    expect(await wallet.payFor(first, 2)).toBeUndefined();
    let last = second;
    let before = await readPackage(last.txid);
    let rises = 0;
    for (; rises < 10; rises++) {
      const child = await wallet.payFor(last, 2);
      if (child === undefined) break;
      expect(child.coins.map((coin) => coin.slice(0, 64))).toEqual([last.txid]);
      await send(child);
      const after = await readPackage(child.txid);
      expect(after.fees).toBeLessThanOrEqual(2 * maxFee);
      if (after.fees < 1.9 * maxFee) expect(after.rate / before.rate).toBeGreaterThan(1.9);
      [last, before] = [child, after];
    }
    expect(rises).toBeGreaterThan(2);
    expect(rises).toBeLessThan(10);
    // What is left is the wallet's.
    const { rawTxHex } = await wallet.sign('02'.repeat(36), free);
    expect((await node.rpc<{ allowed: boolean }[]>('testmempoolaccept', [rawTxHex]))[0]?.allowed).toBe(true);
  } finally {
    await node.stop();
  }
});

test('of one coin come so many anchors that some that pay for them still fit behind them', async () => {
  const node = await startNode();
  try {
    await node.mine(101);
    const wallet = createAnchorWallet(node.client, { maxFee: '0.1', decimals: 8 });
    const sent = [];
    for (;;) {
      const signed = await wallet.sign('00'.repeat(36), async () => []).catch(() => undefined);
      if (signed === undefined) break;
      await node.rpc('sendrawtransaction', signed.rawTxHex);
      await node.rpc('getbalances');
      sent.push(signed);
    }
    expect(sent).toHaveLength(21);
    const child = await wallet.payFor(sent.at(-1)!, sent.length);
    expect(await node.rpc('sendrawtransaction', child!.rawTxHex)).toBe(child!.txid);
  } finally {
    await node.stop();
  }
});
