import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * To a process of many wallets, in this order: connect; watch so many scripts each, those given among them, each by one of the
 * connections; wait until each of these was told.
 */
export type WatchOrder =
  | { kind: 'connect'; port: number; connections: number }
  | { kind: 'watch'; scripts: string[]; each: number }
  | { kind: 'await'; scripts: number; timeoutMs: number };

/** Its answer: when all of it was done, on the clock of `Date.now()`, and how many were told. */
export type WatchAnswer = { atMs: number; told: number };

const AT_ONCE = 200;
const NOTIFICATION = '"method":"blockchain.scripthash.subscribe"';

const sockets: Socket[] = [];
let answers = 0;
let told = 0;
let toldAtMs = 0;
let onProgress = (): void => {};

process.on('message', async (order: WatchOrder) => {
  if (order.kind === 'connect') await connectAll(order.port, order.connections);
  else if (order.kind === 'watch') await watchAll(order.scripts, order.each);
  else await until(() => told >= order.scripts, order.timeoutMs);
  const answer: WatchAnswer = { atMs: order.kind === 'await' ? toldAtMs : Date.now(), told };
  process.send!(answer);
});

async function connectAll(port: number, connections: number): Promise<void> {
  while (sockets.length < connections) {
    const count = Math.min(AT_ONCE, connections - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: count }, () => open(port)))));
  }
}

async function watchAll(scripts: readonly string[], each: number): Promise<void> {
  const ofSocket = sockets.map((): string[] => []);
  for (const [i, script] of scripts.entries()) ofSocket[i % sockets.length]!.push(script);
  for (let from = 0; from < sockets.length; from += AT_ONCE) {
    const before = answers;
    const some = sockets.slice(from, from + AT_ONCE);
    for (const [i, socket] of some.entries()) {
      const own = ofSocket[from + i]!;
      while (own.length < each) own.push(randomBytes(32).toString('hex'));
      const lines = own.map(
        (script) => `{"id":1,"method":"blockchain.scripthash.subscribe","params":["${script}"]}\n`,
      );
      socket.write(`${lines.join('')}{"id":1,"method":"blockchain.headers.subscribe","params":[]}\n`);
    }
    await until(() => answers - before >= some.length * (each + 1), 120_000);
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.includes('"method"')) answers++;
      else if (line.includes(NOTIFICATION)) {
        told++;
        toldAtMs = Date.now();
      }
    }
    onProgress();
  });
  return socket;
}

async function until(isDone: () => boolean, timeoutMs: number): Promise<void> {
  if (isDone()) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    onProgress = () => {
      if (!isDone()) return;
      clearTimeout(timer);
      onProgress = () => {};
      resolve();
    };
  });
}
