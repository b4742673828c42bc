import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createUnsentBytes } from './unsent-bytes.ts';

const MIB = 2 ** 20;
const ANSWER = 12 * MIB;
const BOUND = 40 * MIB;
const body = Buffer.alloc(ANSWER, 'a');

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

/** A server whose answers are large, with the bound; `sides` are its ends of the connections, in their order. */
async function open(): Promise<{ ask(): Promise<Socket>; sides: Socket[]; cut: number[] }> {
  const sides: Socket[] = [];
  const cut: number[] = [];
  const unsent = createUnsentBytes(BOUND, (bytes) => cut.push(bytes));
  server = createServer(({ socket }, response) => {
    unsent.note(socket, ANSWER);
    response.end(body);
  });
  server.on('connection', (side: Socket) => sides.push(side));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    sides,
    cut,
    async ask() {
      const client = connect(port, '127.0.0.1').on('error', () => undefined);
      clients.push(client);
      await once(client, 'connect');
      client.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      const before = sides.length;
      while (sides.length < Math.max(before, clients.length) || sides.at(-1)!.bytesWritten < ANSWER) {
        if (sides.at(-1)?.destroyed) break;
        await nextTurn();
      }
      return client;
    },
  };
}

test('answers that are never read hold no more than the bound; who waits longest for its reader is cut', async () => {
  const { ask, sides, cut } = await open();
  for (let i = 0; i < 15; i++) {
    await ask();
    const held = sides.reduce((sum, side) => sum + (side.destroyed ? 0 : side.writableLength), 0);
    expect(held).toBeLessThanOrEqual(BOUND);
  }
  const gone = sides.map((side) => side.destroyed);
  expect(cut.length).toBeGreaterThan(5);
  expect(gone).toEqual(gone.map((_, i) => i < cut.length));
});

test('who reads gets all of its answer while others do not read theirs', async () => {
  const { ask, sides } = await open();
  await ask();
  const reader = await ask();
  let received = 0;
  reader.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  reader.resume();
  while (received < ANSWER) await nextTurn();
  for (let i = 0; i < 10; i++) await ask();
  expect(sides[0]!.destroyed).toBe(true);
  expect(sides[1]!.destroyed).toBe(false);
});

test('who reads slowly is not the first to be cut', async () => {
  let nowMs = 0;
  const cut: string[] = [];
  const unsent = createUnsentBytes(
    100_000,
    () => undefined,
    () => nowMs,
  );
  const make = (name: string) => ({
    writableLength: 0,
    bytesWritten: 0,
    destroyed: false,
    destroy(): void {
      cut.push(name);
      this.destroyed = true;
    },
  });
  const [slow, silent, late] = [make('slow'), make('silent'), make('late')];
  const answer = (socket: ReturnType<typeof make>): void => {
    unsent.note(socket as never, 40_000);
    socket.writableLength += 40_000;
    socket.bytesWritten += 40_000;
  };
  server = createServer();
  answer(slow);
  nowMs = 10;
  answer(silent);
  nowMs = 20;
  slow.writableLength -= 1_000;
  unsent.look();
  answer(late);
  expect(cut).toEqual(['silent']);
  slow.writableLength = 0;
  late.writableLength = 0;
  unsent.look();
});
