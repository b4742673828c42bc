import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
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

export type ServiceProcessOptions = {
  /** Where its log goes; by default to our own output, as all else that it prints. */
  readonly logFile?: string | undefined;
};

/** Starts `service/src/main.ts` with this environment. */
export function startServiceProcess(
  env: NodeJS.ProcessEnv,
  { logFile }: ServiceProcessOptions = {},
): ServiceProcess {
  const main = new URL('../service/src/main.ts', import.meta.url).pathname;
  const output = logFile === undefined ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, [...keepCompiled, main], {
    env,
    stdio: ['inherit', output, 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches us alone, and we stop things in order.
    detached: true,
  });
  if (logFile !== undefined && child.stdout) keepLog(child.stdout, logFile);
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);

  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
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

/** Lines of JSON are its log, and go into the file; what is for people is printed. */
function keepLog(output: NodeJS.ReadableStream, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const log = createWriteStream(file, { mode: 0o600 });
  // A log that cannot be written, such as on a full disk, ends nothing.
  log.on('error', () => {});
  const lines = createInterface({ input: output });
  lines.on('line', (line) => {
    if (line.startsWith('{')) log.write(`${line}\n`);
    else console.log(line);
  });
  lines.once('close', () => log.end());
}
