import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Unreadable } from './bytes.ts';
import { createClient, Refused } from './client.ts';

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test('an answer that is longer than it may be is not read to its end', async () => {
  let isGone = false;
  const client = await serve((_, response) => {
    response.on('close', () => {
      isGone = true;
    });
    const more = (): void => {
      while (!isGone && response.write(Buffer.alloc(1_000)));
    };
    response.on('drain', more);
    more();
  });
  await expect(client.bytes('/endless', 5_000)).rejects.toThrow(Unreadable);
});

test('a server that is busy is asked again, one that refuses is not', async () => {
  const asked: string[] = [];
  const client = await serve(({ url }, response) => {
    asked.push(url!);
    response.statusCode = url === '/refused' ? 400 : url === '/none' ? 404 : asked.length === 1 ? 503 : 200;
    response.end('{"a":1}');
  });
  expect(await client.json('/busy')).toEqual({ a: 1 });
  expect(await client.json('/none')).toBe(undefined);
  await expect(client.json('/refused')).rejects.toThrow(Refused);
  expect(asked).toEqual(['/busy', '/busy', '/none', '/refused']);
});
