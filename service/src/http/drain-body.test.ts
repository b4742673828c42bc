import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createFixtureServer } from '../testing/fixture-server.ts';

test('a body that is too large is read to its end before it is refused, so that who sends it gets the answer', async () => {
  const { app } = createFixtureServer();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  try {
    const half = Buffer.alloc(1_500_000, ' ');
    const send = (bytes: Buffer | string): Promise<void> =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    let answer = '';
    const ended = new Promise<void>((resolve, reject) => {
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.once('end', resolve);
      socket.once('error', reject);
    });
    await send(
      `POST /api/v1/broadcast HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${2 * half.length}\r\n\r\n`,
    );
    await send(half);
    // Whoever asks later has been answered by then.
    for (let i = 0; i < 3; i++) await fetch(`http://127.0.0.1:${port}/api/v1/wallet-standard`);
    expect(answer).toBe('');
    await send(half);
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*body_too_large/);
  } finally {
    socket.destroy();
    await app.close();
  }
});
