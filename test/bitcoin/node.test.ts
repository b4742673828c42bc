import { expect, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { startNode } from '../harness/litecoind.ts';

const { missing } = findBitcoinNode();

// Where there is none, this line is what the report has in place of the suites.
test.skipIf(missing !== undefined)(
  missing ?? 'suites run on a Bitcoin node of version 28 or later, by whose words they are judged',
  async () => {
    const node = await startNode();
    const { version, subversion } = await node.rpc<{ version: number; subversion: string }>('getnetworkinfo');
    expect([version >= 280_000, subversion]).toEqual([true, expect.stringMatching(/^\/Satoshi:/)]);
    await node.stop();
  },
);
