/** What there is to look at on the local chain, made through the same ways as by anybody else. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { anchorDigest } from '@coinfront/sdk/proofs/anchor-digest.ts';
import { findFreePort } from '../free-ports.ts';
import { DEMO_NAME, describeDemoName, keepNamesComing } from './names.ts';
import { registerDemoNode } from './nodes.ts';
import type { Stage } from './players.ts';
import { DEMO_TICKER, keepTokensMoving, makeTokens } from './tokens.ts';
import { makeTreasury } from './treasury.ts';

export type ShowOptions = {
  stage: Stage;
  /** Base address of the service. */
  url: string;
  /** Told of each thing when it is there. */
  onMade(what: string, command: string): void;
  /** Told of each that could not be made. */
  onFailed(what: string, error: Error): void;
};

/** The node that is registered, and not there. */
const FAILING = 'demo-node-failing';

/** Makes what is not there yet, one beside the other; some of it takes minutes. Fails in no case. */
export async function makeShow({ stage, url, onMade, onFailed }: ShowOptions): Promise<void> {
  const { signal, chain, dir } = stage;
  const attempt = async (what: string, make: () => Promise<void>) => {
    await make().catch((error: Error) => {
      if (!signal.aborted) onFailed(what, error);
    });
  };
  const register = (name: string, endpoint: string) =>
    registerDemoNode({ dir, name, url, walletUrl: chain.walletUrl, endpoint, signal });

  onMade('A name', `curl ${url}/api/vns/v1/name/${DEMO_NAME}`);
  keepNamesComing(stage);
  await Promise.all([
    attempt('A proof', async () => {
      const digest = await anchorReadme(stage);
      onMade('A proof', `curl ${url}/api/v1/proof/lookup/${digest}`);
    }),
    attempt('What is said of a name', async () => {
      await describeDemoName(stage);
      onMade('Its records', `curl ${url}/api/vns/v1/name/${DEMO_NAME}/records`);
    }),
    attempt('Tokens', async () => {
      await makeTokens(stage);
      onMade('Tokens', `curl ${url}/api/v1/tokens?q=${DEMO_TICKER}`);
      await keepTokensMoving(stage);
    }),
    attempt('The treasury', async () => {
      const secret = await makeTreasury(stage);
      onMade('The treasury', `curl ${url}/api/treasury/status`);
      if (secret !== undefined) onMade('a contributor', `has the secret ${secret}`);
    }),
    attempt('Nodes', async () => {
      await Promise.all([
        ...chain.p2pEndpoints.map((endpoint, index) => register(`demo-node-${index + 1}`, endpoint)),
        register(FAILING, `127.0.0.1:${await findFreePort()}`),
      ]);
      onMade('Nodes', `curl ${url}/api/nodeproof/nodes`);
    }),
  ]);
}

async function anchorReadme({ client }: Stage): Promise<string> {
  const readme = readFileSync(new URL('../../README.md', import.meta.url));
  const sha256 = createHash('sha256').update(readme).digest('hex');
  await anchorDigest(client, { sha256 });
  return sha256;
}
