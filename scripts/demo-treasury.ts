import { setTimeout as delay } from 'node:timers/promises';
import { createNodeClient } from '../service/src/node/rpc-client.ts';

// A contributor of the local chain's treasury, who pays from the node's wallet as from any other: by the exact amount.

/** What is there to look at. The secret is only known when the contributor was made now. */
export type TreasuryDemo = { path: string; secret: string | undefined };

export type TreasuryDemoOptions = { url: string; walletUrl: string; signal: AbortSignal };

const NICKNAME = 'First giver';
const COINS = '1';
const LOOK_MS = 1_000;

/** Makes a contributor with one verified contribution, unless there is one; takes a few blocks. */
export async function makeTreasuryDemo({
  url,
  walletUrl,
  signal,
}: TreasuryDemoOptions): Promise<TreasuryDemo> {
  const path = '/api/treasury/contributors';
  const base = `${url}/api/treasury`;
  const post = async (route: string, body: object) =>
    await fetch(base + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  const made = await post('/contributors', { nickname: NICKNAME, public_display: true });
  // The nickname is taken: it was made at an earlier start.
  if (made.status === 409) return { path, secret: undefined };
  const { contributor_secret } = await read<{ contributor_secret: string }>(made);
  const intent = await read<{ id: string; address: string; exact_amount: string }>(
    await post('/intents', { contributor_secret, amount: COINS }),
  );
  const node = createNodeClient({ url: walletUrl });
  try {
    const txid = await node.call<string>('sendtoaddress', [intent.address, intent.exact_amount]);
    for (;;) {
      const verified = await post('/verify', { txid, intent_id: intent.id });
      if (verified.status === 200) return { path, secret: contributor_secret };
      // It takes a moment until the service sees it, and some blocks until it is verified.
      if (verified.status !== 202 && verified.status !== 404) await read(verified);
      await delay(LOOK_MS, undefined, { signal });
    }
  } finally {
    await node.close();
  }
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname} answers ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
