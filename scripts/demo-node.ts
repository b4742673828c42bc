import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createNodeClient } from '../service/src/node/rpc-client.ts';

// Registers the local chain's node as its owner would: two signatures over one text, then the registry looks at it.

export type DemoNodeOptions = {
  /** Folder of the local chain. */
  dir: string;
  url: string;
  walletUrl: string;
  /** Where the node listens; another one at each start. */
  endpoint: string;
  signal: AbortSignal;
};

type Claim = { id: string; message: string };
type Node = { last_verdict: { verdict: string } | null };

const PREFIX = '/api/nodeproof';
const LOOK_MS = 1_000;

/** Registers the node, or moves its registration to its present port; gives its path once it was looked at. */
export async function registerDemoNode(options: DemoNodeOptions): Promise<string> {
  const { url, walletUrl, endpoint, signal } = options;
  const owner = await findOwner(options);
  const jwk = createPublicKey(owner.key).export({ format: 'jwk' });
  const nodeKey = Buffer.from(jwk.x!, 'base64url').toString('hex');
  while (!(await ask<{ is_open: boolean }>(url, '/status')).is_open)
    await delay(LOOK_MS, undefined, { signal });
  const claim = await ask<Claim>(url, '/register', {
    node_key: nodeKey,
    endpoint,
    payout_address: owner.address,
  });
  const node = createNodeClient({ url: walletUrl });
  try {
    await ask(url, '/claim/verify', {
      claim_id: claim.id,
      address_signature: await node.call<string>('signmessage', [owner.address, claim.message]),
      node_signature: sign(null, Buffer.from(claim.message), owner.key).toString('hex'),
    });
  } finally {
    await node.close();
  }
  const path = `/nodes/${nodeKey}`;
  while ((await ask<Node>(url, path)).last_verdict === null) await delay(LOOK_MS, undefined, { signal });
  return PREFIX + path;
}

type Owner = { key: KeyObject; address: string };

/** The node's key, and an address of its wallet, as they were at the first start. */
async function findOwner({ dir, walletUrl }: DemoNodeOptions): Promise<Owner> {
  const file = join(dir, 'demo-node.json');
  try {
    const { key, address } = JSON.parse(readFileSync(file, 'utf8')) as { key: string; address: string };
    return { key: createPrivateKey(key), address };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const node = createNodeClient({ url: walletUrl });
  try {
    const { privateKey } = generateKeyPairSync('ed25519');
    const address = await node.call<string>('getnewaddress', ['', 'legacy']);
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    writeFileSync(file, `${JSON.stringify({ key, address }, undefined, 2)}\n`, { mode: 0o600 });
    return { key: privateKey, address };
  } finally {
    await node.close();
  }
}

async function ask<T>(url: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(url + PREFIX + path, {
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
