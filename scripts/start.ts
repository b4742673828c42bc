import { join, relative } from 'node:path';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { type Claim, claimFolder } from './demo/claim-folder.ts';
import { findBlockIntervalMs, findDemoDir, withoutDemoSettings } from './demo/folder.ts';
import { type LocalChain, startLocalChain } from './demo/local-chain.ts';
import { type Demo, prepareDemo } from './demo/merchant.ts';
import { playPastOfNames } from './demo/names.ts';
import type { Stage } from './demo/players.ts';
import { makeShow } from './demo/show.ts';
import { ANCHOR_WALLET } from './demo/wallets.ts';
import { buildExplorer, isExplorerCurrent } from './explorer-build.ts';
import { isFree } from './free-ports.ts';
import { createProgress } from './progress.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

// What `npm start` runs: the service on the node that is configured, or else on a living regtest chain of
// its own in data/regtest, which is kept between starts.

/** Where wallets look for the Electrum protocol. */
const ELECTRUM_PORT = 50_001;
const dir = findDemoDir();
const logFile = join(dir, 'service.log');
const progress = createProgress();

process.exit(await main());

async function main(): Promise<number> {
  const interrupted = new Promise<number>((resolve) => {
    // The last: the terminal is closed. A second Ctrl-C changes nothing: it would end this process before the node that it has started.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0));
  });
  const hasNode = Boolean(process.env.COINFRONT_NODE_URL || process.env.COINFRONT_NODE_COOKIE);
  const claim = hasNode ? undefined : await claimFolder(dir);
  if (claim?.isOurs === false) {
    console.error(describeOwner(claim.address));
    return 1;
  }
  const stopping = new AbortController();
  let chain: LocalChain | undefined;
  let service: ServiceProcess | undefined;
  try {
    if (!(await isExplorerCurrent())) {
      console.log('Building the explorer ...');
      await buildExplorer({ logLevel: 'error' });
    }
    if (!hasNode) {
      console.log(`No node is configured: starting a regtest chain of our own in ${nameFolder()} ...`);
      chain = await startLocalChain(dir, { blockIntervalMs: findBlockIntervalMs(), onProgress: showMined });
    }
    const env = chain ? await localEnvironment(chain) : withoutDemoSettings(process.env);
    service = startServiceProcess(env, { logFile: keepsLog() ? logFile : undefined });
    void service.listening.then(async (address) => {
      if (address === undefined) return;
      if (chain === undefined) console.log(welcome(address, env));
      else await greet(address, chain, env, stopping.signal, claim);
    });
    const code = await Promise.race([interrupted, service.ended]);
    if (code !== 0 && keepsLog()) console.error(`The service has ended. Its log is in ${logFile}.`);
    return code;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    progress.end();
    stopping.abort();
    await service?.stop();
    await chain?.stop();
    if (claim?.isOurs) claim.release();
  }

  /** Whoever wants to see the log says how much of it. */
  function keepsLog(): boolean {
    return !hasNode && process.env.COINFRONT_LOG_LEVEL === undefined;
  }
}

function describeOwner(address: string | undefined): string {
  const where = address === undefined ? 'and is just starting' : `at ${address}`;
  return `Coinfront runs already on the chain in ${nameFolder()}, ${where}. Stop it with Ctrl-C in its terminal first.`;
}

function nameFolder(): string {
  const path = relative(process.cwd(), dir);
  return path.startsWith('..') ? dir : path;
}

function showMined(height: number, ofBlocks: number): void {
  progress.show(
    height === 0
      ? 'Starting the node ...'
      : `Mining the first chain: ${Math.min(height, ofBlocks)} of ${ofBlocks} blocks`,
  );
}

/** Shows what there is to look at, and makes the examples. Fails in no case. */
async function greet(
  address: string,
  chain: LocalChain,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  claim: Claim | undefined,
): Promise<void> {
  const stage: Stage = { client: createClient({ baseUrl: address }), chain, dir, env, signal };
  const tellFailure = (what: string, error: Error) => {
    progress.end();
    if (!signal.aborted) console.error(`${what} could not be made: ${error.message}`);
  };
  if (chain.isNew) {
    await playPastOfNames(stage).catch((error: Error) =>
      tellFailure('The history of the local chain', error),
    );
  }
  const demo = tryDemo(chain, address, env);
  await chain.live().catch((error: Error) => tellFailure('Blocks', error));
  const made = await demo;
  progress.end();
  if (signal.aborted) return;
  console.log(welcome(address, env, made));
  if (claim?.isOurs) claim.tell(address);
  await makeShow({
    stage,
    url: address,
    onMade: (what, command) => console.log(` ${what.padEnd(15)} ${command}`),
    onFailed: tellFailure,
  });
}

/** The chain API is of use without the demo, so what goes wrong with it is only told. */
async function tryDemo(
  chain: LocalChain,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<Demo | { problem: string }> {
  const { walletUrl, newAddress } = chain;
  return await prepareDemo({ dir, url, walletUrl, env, newAddress }).catch((error: Error) => ({
    problem: error.message,
  }));
}

async function localEnvironment(chain: LocalChain): Promise<NodeJS.ProcessEnv> {
  return {
    COINFRONT_LOG_LEVEL: 'warn',
    COINFRONT_PUBLIC_URL: `http://${process.env.COINFRONT_LISTEN ?? '127.0.0.1:8080'}`,
    // The sample shop is on this machine; nobody else's receiver is.
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    // The local node is in the registry, on loopback and on ports of its own.
    COINFRONT_REGISTRY_ALLOW: 'loopback',
    COINFRONT_REGISTRY_PORTS: 'any',
    COINFRONT_REGISTRY_SLOT: '20',
    COINFRONT_REGISTRY_EPOCH_BLOCKS: '50',
    COINFRONT_REGISTRY_REWARD: '25',
    // All that asks here is one client: examples, the explorer, and a wallet that looks for its coins.
    COINFRONT_RATE_LIMIT: '6000',
    // Another server of wallets on this machine may have it.
    ...((await isFree(ELECTRUM_PORT)) ? { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${ELECTRUM_PORT}` } : {}),
    COINFRONT_ANCHOR_WALLET: ANCHOR_WALLET,
    COINFRONT_RICH_LIST: '10',
    COINFRONT_RELEASES_FILE: new URL('demo/releases.json', import.meta.url).pathname,
    COINFRONT_POOL_SOURCE: `ckpool:${chain.poolFolder}`,
    COINFRONT_DATA_DIR: join(dir, 'service'),
    ...withoutDemoSettings(process.env),
    COINFRONT_COIN: chain.coinFile,
    COINFRONT_NODE_URL: chain.nodeUrl,
  };
}

function welcome(
  address: string,
  { COINFRONT_ELECTRUM_LISTEN: electrum }: NodeJS.ProcessEnv,
  demo?: Demo | { problem: string },
): string {
  const lines = [
    `The explorer    ${address}`,
    `The API is at   ${address}/api/v1`,
    `for example     curl ${address}/api/v1/status`,
    `                curl "${address}/api/v1/blocks?limit=3"`,
    `described in    ${address}/api/v1/openapi.json`,
    ...(electrum === undefined
      ? []
      : [`Wallets         ${electrum}, by the Electrum protocol: see docs/wallets.md`]),
    ...(demo ? describeDemo(demo) : []),
    'Stop it with Ctrl-C.',
  ];
  const rule = '-'.repeat(Math.max(...lines.map(({ length }) => length)) + 2);
  return ['', rule, ...lines.map((line) => ` ${line}`), rule, ''].join('\n');
}

function describeDemo(demo: Demo | { problem: string }): string[] {
  if ('problem' in demo) return [`The demo merchant could not be made: ${demo.problem}`];
  const [first, second] = demo.checkoutUrls;
  return [
    `A payment       ${first}`,
    `pay it          npm run pay -- ${first}`,
    `a second one    ${second}`,
    'and more        npm run payment',
    `A merchant      with the API key ${demo.merchant.api_key}`,
    'a shop of it    npm run shop, see examples/merchant/README.md',
    'A block comes every few seconds while somebody waits for one, else now and then; its coins have no value.',
  ];
}
