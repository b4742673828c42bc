import { type Demo, prepareDemo } from './demo-merchant.ts';
import { registerDemoNode } from './demo-node.ts';
import { makeProtocolDemos } from './demo-protocols.ts';
import { makeTreasuryDemo } from './demo-treasury.ts';
import { ANCHOR_WALLET } from './demo-wallets.ts';
import { buildExplorer, isExplorerCurrent } from './explorer-build.ts';
import { type LocalChain, startLocalChain } from './local-chain.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

// What `npm start` runs: the service on the node that is configured, or else on a living regtest chain of
// its own in data/regtest, which is kept between starts.

const LOCAL_DIR = new URL('../data/regtest', import.meta.url).pathname;

process.exit(await main());

async function main(): Promise<number> {
  const interrupted = new Promise<number>((resolve) => {
    // The last: the terminal is closed. A second Ctrl-C changes nothing: it would end this process before the node that it has started.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0));
  });
  const hasNode = Boolean(process.env.COINFRONT_NODE_URL || process.env.COINFRONT_NODE_COOKIE);

  if (!(await isExplorerCurrent())) {
    console.log('Building the explorer ...');
    await buildExplorer();
  }
  const stopping = new AbortController();
  let chain: LocalChain | undefined;
  let service: ServiceProcess | undefined;
  try {
    if (!hasNode) {
      console.log('No node is configured: starting a regtest chain of our own ...');
      chain = await startLocalChain(LOCAL_DIR);
    }
    const env = chain ? localEnvironment(chain) : process.env;
    service = startServiceProcess(env);
    void service.listening.then(async (address) => {
      if (address !== undefined) await greet(address, chain, env, stopping.signal);
    });
    return await Promise.race([interrupted, service.ended]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    stopping.abort();
    await service?.stop();
    await chain?.stop();
  }
}

/** Shows what there is to look at, and makes the examples. Fails in no case. */
async function greet(
  address: string,
  chain: LocalChain | undefined,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  console.log(welcome(address, chain && (await tryDemo(chain, address, env))));
  if (!chain) return;
  await Promise.all([
    tryProtocolDemos(chain, address, signal),
    tryTreasuryDemo(chain, address, signal),
    tryNodeDemo(chain, address, signal),
  ]);
}

/** The chain API is of use without the demo, so what goes wrong with it is only told. */
async function tryDemo(
  chain: LocalChain,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<Demo | { problem: string }> {
  const { walletUrl, newAddress } = chain;
  return await prepareDemo({ dir: LOCAL_DIR, url, walletUrl, env, newAddress }).catch((error: Error) => ({
    problem: error.message,
  }));
}

/** Takes a slot or two. */
async function tryNodeDemo(
  { walletUrl, p2pEndpoint }: LocalChain,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  await registerDemoNode({ dir: LOCAL_DIR, url, walletUrl, endpoint: p2pEndpoint, signal })
    .then((path) => console.log(` A ${'node'.padEnd(14)}curl "${url}${path}"`))
    .catch((error: Error) => {
      if (!signal.aborted) console.error(`The local node could not be registered: ${error.message}`);
    });
}

/** Takes a minute, for a name has to wait for its commitment. */
async function tryProtocolDemos({ walletUrl }: LocalChain, url: string, signal: AbortSignal): Promise<void> {
  await makeProtocolDemos({
    url,
    walletUrl,
    signal,
    onMade: ({ kind, path }) => console.log(` A ${kind.padEnd(14)}curl "${url}${path}"`),
  }).catch((error: Error) => {
    if (!signal.aborted) console.error(`An example could not be made: ${error.message}`);
  });
}

/** Takes a few blocks, until the contribution is verified. */
async function tryTreasuryDemo({ walletUrl }: LocalChain, url: string, signal: AbortSignal): Promise<void> {
  try {
    const { path, secret } = await makeTreasuryDemo({ url, walletUrl, signal });
    console.log(` A contribution  curl "${url}${path}"`);
    if (secret !== undefined) console.log(` of a contributor with the secret ${secret}`);
  } catch (error) {
    if (!signal.aborted) console.error(`A contribution could not be made: ${(error as Error).message}`);
  }
}

function localEnvironment(chain: LocalChain): NodeJS.ProcessEnv {
  return {
    COINFRONT_LOG_LEVEL: 'warn',
    COINFRONT_PUBLIC_URL: `http://${process.env.COINFRONT_LISTEN ?? '127.0.0.1:8080'}`,
    // The sample shop is on this machine; nobody else's receiver is.
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    // The local node is in the registry, on loopback and on a port of its own.
    COINFRONT_REGISTRY_ALLOW: 'loopback',
    COINFRONT_REGISTRY_PORTS: 'any',
    COINFRONT_REGISTRY_SLOT: '20',
    COINFRONT_REGISTRY_EPOCH_BLOCKS: '50',
    COINFRONT_REGISTRY_REWARD: '25',
    // All that asks here is one client: examples, the explorer, and a wallet that looks for its coins.
    COINFRONT_RATE_LIMIT: '6000',
    COINFRONT_ANCHOR_WALLET: ANCHOR_WALLET,
    COINFRONT_DATA_DIR: `${LOCAL_DIR}/service`,
    ...process.env,
    COINFRONT_COIN: 'regtest',
    COINFRONT_NODE_URL: chain.nodeUrl,
  };
}

function welcome(address: string, demo: Demo | { problem: string } | undefined): string {
  const lines = [
    `The explorer    ${address}`,
    `The API is at   ${address}/api/v1`,
    `for example     curl ${address}/api/v1/status`,
    `                curl "${address}/api/v1/blocks?limit=3"`,
    `described in    ${address}/api/v1/openapi.json`,
    ...(demo ? describeDemo(demo) : []),
    'Stop it with Ctrl-C.',
  ];
  const rule = '-'.repeat(Math.max(...lines.map(({ length }) => length)) + 2);
  return ['', rule, ...lines.map((line) => ` ${line}`), rule, ''].join('\n');
}

function describeDemo(demo: Demo | { problem: string }): string[] {
  if ('problem' in demo) return [`The demo merchant could not be made: ${demo.problem}`];
  return [
    `A payment       ${demo.checkoutUrl}`,
    `pay it          npm run pay -- ${demo.checkoutUrl}`,
    `A merchant      with the API key ${demo.merchant.api_key}`,
    'a shop of it    npm run shop, see examples/merchant/README.md',
    'A block comes every few seconds, on regtest coins without value.',
  ];
}
