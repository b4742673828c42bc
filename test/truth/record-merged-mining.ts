/**
 * Records a short merged-mined chain of a real node, with its own answers about it:
 *
 *     COINFRONT_TEST_NODE=/path/to/namecoind COINFRONT_TEST_COIN=<its regtest profile> node test/truth/record-merged-mining.ts
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNodeProcess } from '../../scripts/node-process.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import { addressOfOwner, scriptOf } from '../harness/raw-coins.ts';
import { mineMerged } from './mine-merged.ts';
import { recordedChainFile } from './recorded-node.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-record-'));
const { url, client, stop } = await startNodeProcess({ dataDir });
const node = { client, rpc: <T>(method: string, ...params: unknown[]) => client.call<T>(method, params) };
const answers: Record<string, string> = {};

/** Keeps an answer as the node wrote it: an amount must not become a float. */
async function record<T>(method: string, ...params: unknown[]): Promise<T> {
  const { origin, username, password } = new URL(url);
  const response = await fetch(origin, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    body: JSON.stringify({ id: 1, method, params }),
  });
  const text = await response.text();
  const found = /^\{"result":(.*),"error":null,"id":1\}$/s.exec(text.trim());
  if (!found) throw new Error(`The node answered ${method} in another form: ${text.slice(0, 200)}`);
  answers[JSON.stringify([method, ...params])] = withoutProof(found[1]!);
  return JSON.parse(found[1]!);
}

/** The node's decoding of a merged-mining proof is long, and held against nothing. */
function withoutProof(answer: string): string {
  const start = answer.indexOf(',"auxpow":{');
  if (start < 0) return answer;
  let end = answer.indexOf('{', start);
  for (let depth = 0; ; end += 1) {
    if (answer[end] === '{') depth += 1;
    else if (answer[end] === '}') depth -= 1;
    if (depth === 0) return answer.slice(0, start) + answer.slice(end + 1);
  }
}

try {
  for (let round = 0; round < 5; round++) {
    const owner = addressOfOwner(round);
    // The node's own miner makes a proof with empty branches.
    await node.rpc('generatetoaddress', 1, owner);
    await mineMerged(node, owner, { chainSteps: round, coinbaseSteps: round, witness: round % 2 === 1 });
    await mineByHand(node, [{ value: 1_000_000_000n, script: scriptOf(round) }], [], 'plain');
    await mineMerged(node, addressOfOwner(7), { chainSteps: 0, coinbaseSteps: 1, witness: true });
  }
  const height = await record<number>('getblockcount');
  for (let at = 0; at <= height; at++) {
    const hash = await record<string>('getblockhash', at);
    await record('getblock', hash, 0);
    await record('getblockheader', hash);
    const { tx } = await record<{ tx: { txid: string }[] }>('getblock', hash, 2);
    await record('gettxoutproof', [tx[0]!.txid], hash);
  }
  for (const method of ['getbestblockhash', 'getblockchaininfo', 'getnetworkinfo', 'getchaintips']) {
    await record(method);
  }
  await record('getmempoolinfo');
  await record('gettxoutsetinfo');
  await writeFile(recordedChainFile, `${JSON.stringify(answers, null, 2)}\n`);
} finally {
  await stop();
  await client.close();
  await rm(dataDir, { recursive: true });
}
