import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { createLargeReads, maxLargeReads } from './large-reads.ts';
import { createTurns } from './turns.ts';

function connect(ip: string): { ip: string; socket: Socket & { leave(): void } } {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    leave() {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  return { ip, socket: socket as unknown as Socket & { leave(): void } };
}

test('as many are read at a time as there are connections, and who comes later waits for one that ends', async () => {
  const reads = createLargeReads(createTurns());
  const ends: (() => void)[] = [];
  for (let i = 0; i < maxLargeReads.inAll; i++) ends.push(await reads.enter(connect(`192.0.2.${i}`)));
  let hasBegun = false;
  const later = reads.enter(connect('192.0.2.99')).then((end) => {
    hasBegun = true;
    return end;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  ends[0]!();
  // Told twice, it is one place that is free.
  ends[0]!();
  await later;
  const next = reads.enter(connect('192.0.2.98'));
  ends[1]!();
  await next;
});

test('a client has so many that wait and no more, and one that leaves while it waits makes room', async () => {
  const reads = createLargeReads(createTurns());
  const ends: (() => void)[] = [];
  for (let i = 0; i < maxLargeReads.ofClient; i++) ends.push(await reads.enter(connect('192.0.2.1')));
  const waiting = Array.from({ length: maxLargeReads.waitingOfClient }, () => connect('192.0.2.1'));
  const entered = waiting.map((each) => reads.enter(each));
  await expect(reads.enter(connect('192.0.2.1'))).rejects.toMatchObject({ code: 'rate_limited' });
  waiting[0]!.socket.leave();
  await expect(entered[0]).rejects.toBeInstanceOf(AppError);
  const again = reads.enter(connect('192.0.2.1'));
  for (const end of ends) end();
  for (const each of [...entered.slice(1), again]) (await each)();
});

test('who has left before is not begun for, and who leaves while it reads holds its place until that is over', async () => {
  const reads = createLargeReads(createTurns());
  const gone = connect('192.0.2.1');
  gone.socket.leave();
  await expect(reads.enter(gone)).rejects.toBeInstanceOf(AppError);
  const reading = connect('192.0.2.1');
  const end = await reads.enter(reading);
  const other = await reads.enter(connect('192.0.2.2'));
  reading.socket.leave();
  let hasBegun = false;
  const later = reads.enter(connect('192.0.2.3')).then(() => {
    hasBegun = true;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  end();
  await later;
  other();
});
