import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that the system gives to whoever asks for any: a server that is stopped and started again on its port
 * finds it as it left it. Runners of tests work side by side, so each has a share of its own; a program that is none takes
 * from the first.
 */
const FIRST_PORT = 11_000;
const SHARES = 16;
const PORTS_OF_SHARE = 1_300;

const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES;
const firstOfShare = FIRST_PORT + share * PORTS_OF_SHARE;
let next = Math.floor(Math.random() * PORTS_OF_SHARE);

/**
 * A TCP port on loopback that nothing listens on at this moment. It is not given out again before the others were.
 *
 * @throws Error when something listens on all of them
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_SHARE; tries++) {
    const port = firstOfShare + next;
    next = (next + 1) % PORTS_OF_SHARE;
    if (await isFree(port)) return port;
  }
  throw new Error(
    `Something listens on each port of ${firstOfShare} to ${firstOfShare + PORTS_OF_SHARE - 1}; end what is not needed.`,
  );
}

/** Whether nothing listens on a port of loopback at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
