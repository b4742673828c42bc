import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from './free-ports.ts';

test('each port is another one, below those of the system, and nothing listens on it', async () => {
  const ports: number[] = [];
  for (let i = 0; i < 100; i++) ports.push(await findFreePort());
  expect(new Set(ports).size).toBe(100);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(11_000);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('a port that somebody listens on is passed over', async () => {
  const first = await findFreePort();
  const server = createServer().listen(first, '127.0.0.1');
  await once(server, 'listening');
  // All of this share, and then it would be that one's turn.
  let port = await findFreePort();
  for (let i = 0; i < 2_600 && port !== first; i++) port = await findFreePort();
  expect(port).not.toBe(first);
  server.close();
});
