import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningNode, startBenchNode } from '../bench-node.ts';
import { payoutDescriptor } from '../chain/mine.ts';
import { lockedScriptPubKey, openScriptPubKey } from '../chain/scripts.ts';
import { serializeSpend } from '../chain/serialize.ts';
import { MINER_NUMBER } from '../chain/traffic.ts';
import type { Coinbase } from '../worst/heavy-blocks.ts';

const MATURITY = 100;
const HEAVY_TXS = 26;
/** Some 940 KB, nearly what a block holds without witnesses. */
const OUTPUTS_OF_TX = 26_000;
const COINBASE_VALUE = 5_000_000_000n;
const OWNER_NUMBER = 4_000_000;

/** A node with a script that was paid by transactions of a megabyte, one a block. */
export type HeavyChain = {
  node: RunningNode;
  tipHash: string;
  /** The scriptPubKey that all of them pay, and the display txid of one. */
  script: Uint8Array;
  txid: string;
  /** Coinbases that may be spent and are not, of the time before the first halving. */
  coinbases: Coinbase[];
  stop(): Promise<void>;
};

/** Mines the chain in a temporary folder; takes some seconds. */
export async function makeHeavyChain(): Promise<HeavyChain> {
  const dir = await mkdtemp(join(tmpdir(), 'coinfront-starve-'));
  const node = await startBenchNode({ dataDir: dir });
  const stop = async (): Promise<void> => {
    await node.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const payout = payoutDescriptor();
    const script = openScriptPubKey(OWNER_NUMBER);
    const hashes = await node.rpc<string[]>('generatetodescriptor', MATURITY + HEAVY_TXS, payout);
    const coinbases: Coinbase[] = [];
    for (const hash of hashes.slice(0, 2 * HEAVY_TXS)) {
      const { tx } = await node.rpc<{ tx: [string] }>('getblock', hash, 1);
      coinbases.push({ txid: Buffer.from(tx[0], 'hex').reverse(), value: COINBASE_VALUE });
    }
    let txid = '';
    for (let i = 0; i < HEAVY_TXS; i++) {
      const coinbase = coinbases.shift()!;
      const locked = Array.from({ length: OUTPUTS_OF_TX - 1 }, (_, n) => ({
        value: 10_000n,
        script: lockedScriptPubKey(i * OUTPUTS_OF_TX + n),
      }));
      const raw = serializeSpend(
        [{ txIndex: 0, vout: 0, number: MINER_NUMBER, value: coinbase.value }],
        [{ value: 10_000n, script }, ...locked],
        () => coinbase.txid,
      );
      txid = Buffer.from(raw.txid).reverse().toString('hex');
      await node.rpc('generateblock', payout, [raw.hex]);
    }
    const tipHash = await node.rpc<string>('getbestblockhash');
    return { node, tipHash, script, txid, coinbases, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
