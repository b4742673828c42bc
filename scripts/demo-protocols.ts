import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createNodeClient, type NodeClient } from '../service/src/node/rpc-client.ts';

// A proof, a token and a name of the local chain, made as any wallet would: the service builds, the node's wallet signs.

/** What is there to look at. */
export type ProtocolDemo = { kind: 'proof' | 'token' | 'name'; path: string };

export type ProtocolDemoOptions = {
  url: string;
  walletUrl: string;
  signal: AbortSignal;
  /** Called when one of them is in the chain. */
  onMade(demo: ProtocolDemo): void;
};

type Wallet = Pick<ProtocolDemoOptions, 'url' | 'signal'> & { node: NodeClient; owner: string };

const NAME = 'demo.coin';
const TICKER = 'DEMO';
const COINS = 3;
const LOOK_MS = 1_000;
const SALT_BYTES = 16;

/** Makes those that are not there yet: a proof and a token within a few blocks, a name when its commitment is mature. */
export async function makeProtocolDemos(options: ProtocolDemoOptions): Promise<void> {
  const { url, walletUrl, signal, onMade } = options;
  const node = createNodeClient({ url: walletUrl });
  try {
    const readme = readFileSync(new URL('../README.md', import.meta.url));
    const digest = createHash('sha256').update(readme).digest('hex');
    await ask(url, '/api/v1/proof/anchor', { sha256: digest });
    onMade({ kind: 'proof', path: `/api/v1/proof/lookup/${digest}` });

    const owner = await node.call<string>('getnewaddress', ['', 'bech32']);
    const tokens = await ask<{ items: unknown[] }>(url, `/api/v1/tokens?q=${TICKER}`);
    const isNamed = (await fetch(`${url}/api/vns/v1/resolve/${NAME}`, { signal })).ok;
    if (tokens.items.length > 0 && isNamed) return;
    for (let coin = 0; coin < COINS; coin++) await node.call('sendtoaddress', [owner, 5]);
    const wallet = { url, signal, node, owner };
    if (tokens.items.length === 0) {
      const terms = { ticker: TICKER, decimals: 2, premine: '1000000.00', mintable: true };
      await sendEncoded(wallet, '/api/v1/tok/encode/create', terms);
      onMade({ kind: 'token', path: `/api/v1/tokens?q=${TICKER}` });
    }
    if (!isNamed) {
      const salt = randomBytes(SALT_BYTES).toString('hex');
      await sendEncoded(wallet, '/api/vns/v1/encode/commit', { name: NAME, salt });
      await sendEncoded(wallet, '/api/vns/v1/encode/register', { name: NAME, salt, periods: 1 });
      onMade({ kind: 'name', path: `/api/vns/v1/name/${NAME}` });
    }
  } finally {
    await node.close();
  }
}

type Encoded = { next_block: { valid: boolean | null }; transaction: { psbt: string } | null };

/** Waits until an operation is valid in the next block and its coins are confirmed; then signs and sends it. */
async function sendEncoded({ url, signal, node, owner }: Wallet, path: string, body: object): Promise<void> {
  for (;;) {
    const encoded = await ask<Encoded>(url, path, { ...body, address: owner });
    if (encoded.next_block.valid !== false && encoded.transaction !== null) {
      const { psbt } = await node.call<{ psbt: string }>('walletprocesspsbt', [encoded.transaction.psbt]);
      const { hex } = await node.call<{ hex: string }>('finalizepsbt', [psbt]);
      const txid = await broadcast(url, hex);
      if (txid !== undefined) {
        // Until the service has seen it, it would build the next one on the same coins.
        while (!(await fetch(`${url}/api/v1/tx/${txid}`, { signal })).ok) {
          await delay(LOOK_MS, undefined, { signal });
        }
        return;
      }
      // Whoever pays from the same wallet took the coin meanwhile.
      await node.call('sendtoaddress', [owner, 5]);
    }
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Sends a transaction; undefined when another one, of the mempool or of a block, has spent its coins. */
async function broadcast(url: string, rawTx: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/api/v1/broadcast`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ raw_tx: rawTx }),
  });
  const text = await answer.text();
  if (answer.ok) return (JSON.parse(text) as { txid: string }).txid;
  const { code } = JSON.parse(text) as { code?: string };
  if (answer.status === 409 || code === 'missing_inputs') return undefined;
  throw new Error(`/api/v1/broadcast answers ${answer.status}: ${text}`);
}

async function ask<T>(url: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(url + path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
