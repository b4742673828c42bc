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
  const before = await findFreePort();
  const server = createServer().listen(before + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await findFreePort()).not.toBe(before + 1);
  server.close();
});
