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
