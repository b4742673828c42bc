import { type LocalChain, startLocalChain } from './local-chain.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

// What `npm start` runs: the service on the node that is configured, or else on a living regtest chain of
// its own in data/regtest, which is kept between starts.

const LOCAL_DIR = new URL('../data/regtest', import.meta.url).pathname;

process.exit(await main());

async function main(): Promise<number> {
  const interrupted = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(0));
    process.once('SIGTERM', () => resolve(0));
  });
  const hasNode = Boolean(process.env.COINFRONT_NODE_URL || process.env.COINFRONT_NODE_COOKIE);

  let chain: LocalChain | undefined;
  let service: ServiceProcess | undefined;
  try {
    if (!hasNode) {
      console.log('No node is configured: starting a regtest chain of our own ...');
      chain = await startLocalChain(LOCAL_DIR);
    }
    service = startServiceProcess(chain ? localEnvironment(chain) : process.env);
    void service.listening.then(
      (address) => console.log(welcome(address, chain !== undefined)),
      () => {},
    );
    return await Promise.race([interrupted, service.ended, ...(chain ? [chain.mining.then(() => 0)] : [])]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await service?.stop();
    await chain?.stop();
  }
}

function localEnvironment(chain: LocalChain): NodeJS.ProcessEnv {
  return {
    COINFRONT_LOG_LEVEL: 'warn',
    COINFRONT_DATA_DIR: `${LOCAL_DIR}/service`,
    ...process.env,
    COINFRONT_COIN: 'regtest',
    COINFRONT_NODE_URL: chain.nodeUrl,
  };
}

function welcome(address: string, isLocal: boolean): string {
  const lines = [
    `The API is at   ${address}/api/v1`,
    `for example     curl ${address}/api/v1/status`,
    `                curl "${address}/api/v1/blocks?limit=3"`,
    `described in    ${address}/api/v1/openapi.json`,
    isLocal ? 'A block comes every few seconds, on regtest coins without value.' : undefined,
    'Stop it with Ctrl-C.',
  ].filter((line) => line !== undefined);
  const rule = '-'.repeat(Math.max(...lines.map(({ length }) => length)) + 2);
  return ['', rule, ...lines.map((line) => ` ${line}`), rule, ''].join('\n');
}
