/** Nodes of the local chain in the registry, registered as their owners would: two signatures over one text, then the registry looks. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { getNode } from '@coinfront/sdk/nodes/get-node.ts';
import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { registerNode } from '@coinfront/sdk/nodes/register-node.ts';
import { verifyClaim } from '@coinfront/sdk/nodes/verify-claim.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import { waitFor } from './players.ts';

export type DemoNodeOptions = {
  /** Folder of the local chain. */
  dir: string;
  /** What its key is kept by, from start to start. */
  name: string;
  /** Base address of the service. */
  url: string;
  walletUrl: string;
  /** Where the node listens; another one at each start. */
  endpoint: string;
  signal: AbortSignal;
};

/** Registers a node, or moves its registration to its present port; gives its key once it was looked at. */
export async function registerDemoNode(options: DemoNodeOptions): Promise<string> {
  const { url, walletUrl, endpoint } = options;
  const client = createClient({ baseUrl: url });
  const owner = await findOwner(options);
  const jwk = createPublicKey(owner.key).export({ format: 'jwk' });
  const node_key = Buffer.from(jwk.x!, 'base64url').toString('hex');
  await waitFor(options, 'The registry', async () => (await getRegistryStatus(client)).is_open);
  const claim = await registerNode(client, { node_key, endpoint, payout_address: owner.address });
  const node = createNodeClient({ url: walletUrl });
  try {
    await verifyClaim(client, {
      claim_id: claim.id,
      address_signature: await node.call<string>('signmessage', [owner.address, claim.message]),
      node_signature: sign(null, Buffer.from(claim.message), owner.key).toString('hex'),
    });
  } finally {
    await node.close();
  }
  await waitFor(options, 'A look at the node', async () => {
    const { last_verdict } = await getNode(client, { node_key });
    return last_verdict !== null;
  });
  return node_key;
}

type Owner = { key: KeyObject; address: string };

/** The node's key, and an address of its wallet, as they were at the first start. */
async function findOwner({ dir, name, walletUrl }: DemoNodeOptions): Promise<Owner> {
  const file = join(dir, `${name}.json`);
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
