import { spawn } from 'node:child_process';
import { keepCompiled } from './keep-compiled.ts';
import { awaitListening } from './listening.ts';

/** The service as a process of its own. */
export type ServiceProcess = {
  /** Base address of the API, when it listens; undefined when it ended before. */
  readonly listening: Promise<string | undefined>;
  /** Resolves with the exit code when it has ended, for whatever reason. */
  readonly ended: Promise<number>;
  /** Asks it to finish what it does and to end. */
  stop(): Promise<void>;
};

/** Starts `service/src/main.ts` with this environment; what it logs goes to our own output. */
export function startServiceProcess(env: NodeJS.ProcessEnv): ServiceProcess {
  const main = new URL('../service/src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [...keepCompiled, main], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches us alone, and we stop things in order.
    detached: true,
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);

  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      console.error(`The service cannot be started: ${error.message}`);
      resolve(1);
    });
  });
  void ended.then(() => process.off('exit', killAtExit));
  return {
    listening: awaitListening(child),
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
