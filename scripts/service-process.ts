import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { keepCompiled } from './keep-compiled.ts';

/** The service as a process of its own. */
export type ServiceProcess = {
  /** Base address of the API, when it listens. */
  readonly listening: Promise<string>;
  /** Resolves with the exit code when it has ended, for whatever reason. */
  readonly ended: Promise<number>;
  /** Asks it to finish what it does and to end. */
  stop(): Promise<void>;
};

const HEALTH_PATH = '/api/v1/health';

/** Starts `service/src/main.ts` with this environment; what it logs goes to our own output. */
export function startServiceProcess(env: NodeJS.ProcessEnv): ServiceProcess {
  const main = new URL('../service/src/main.ts', import.meta.url).pathname;
  // A group of its own: Ctrl-C reaches us alone, and we stop things in order.
  const child = spawn(process.execPath, [...keepCompiled, main], { env, stdio: 'inherit', detached: true });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);

  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    process.off('exit', killAtExit);
    return typeof code === 'number' ? code : 1;
  });
  const address = `${env.COINFRONT_TLS_CERT ? 'https' : 'http'}://${env.COINFRONT_LISTEN ?? '127.0.0.1:8080'}`;

  async function waitUntilListening(): Promise<string> {
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      if (await answers(address + HEALTH_PATH)) return address;
      await delay(100);
    }
    throw new Error('The service ended before it listened.');
  }

  return {
    listening: waitUntilListening(),
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Any answer will do, also that of a service behind its node, or of a certificate that we do not trust. */
async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    return cause !== undefined && cause.code !== 'ECONNREFUSED';
  }
}
