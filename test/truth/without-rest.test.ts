import { expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode } from '../harness/litecoind.ts';
import { startService } from '../harness/service.ts';
import { getJson } from './read-api.ts';

forEachEngine('a node without REST', (engine) => {
  test('is followed by RPC alone: small blocks and large ones', async () => {
    const node = await startNode({ extraArgs: ['-rest=0'] });
    const address = await node.newAddress();
    await node.mine(101, address);
    const amounts = Object.fromEntries(
      await Promise.all(Array.from({ length: 200 }, async () => [await node.newAddress(), '0.1'] as const)),
    );
    await node.rpc('sendmany', '', amounts);
    const [large] = await node.mine(1);

    const service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    const { size, tx } = await node.rpc<{ size: number; tx: string[] }>('getblock', large);
    expect(size).toBeGreaterThan(5_000);
    expect(await getJson(service, `/api/v1/block/${large}`)).toMatchObject({ size, tx_count: tx.length });
    await node.mine(1);
    await service.waitForTip();
    await service.stop();
    await node.stop();
  });
});
