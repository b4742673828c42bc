import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pace } from './answer-pace.ts';
import { maxAccountAnswers, maxLargeAnswers } from './answer-places.ts';
import { createLargeAnswers } from './large-answers.ts';

/** More than any buffer between the two holds. */
const pieces = 1_600;
const piece = 'x'.repeat(32_768);
/** Clients of the public whose answers are all that are sent at a time. */
const strangers = maxLargeAnswers.inAll / maxLargeAnswers.ofClient;

let app: FastifyInstance;
let pace: Pace | undefined;
/** Answers that were begun, and those that were given up or read to their end. */
let sent = { begun: 0, ended: 0 };

beforeEach(() => {
  sent = { begun: 0, ended: 0 };
  pace = undefined;
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

async function listen(): Promise<void> {
  app = fastify({ trustProxy: true });
  const answers = createLargeAnswers(
    { chargeBytes: () => undefined },
    () => new Promise((resolve) => setImmediate(resolve)),
    pino({ level: 'silent' }),
    pace,
  );
  // Answers of a test before may end later than that.
  const mine = sent;
  const streamedText = async function* () {
    mine.begun += 1;
    try {
      for (let i = 0; i < pieces; i++) yield [piece];
    } finally {
      mine.ended += 1;
    }
  };
  app.get('/public', (request, reply) => answers.send(request, reply, { streamedText }));
  app.get<{ Params: { account: string } }>('/of/:account', (request, reply) =>
    answers.send(request, reply, { streamedText, account: request.params.account }),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
}

async function ask(path: string, client: string): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  const request = get({ port, path, agent: false, headers: { 'x-forwarded-for': client } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** Asks for all that is sent to strangers at a time, and reads nothing of it. */
async function fillPublicPlaces(): Promise<void> {
  for (let i = 0; i < maxLargeAnswers.inAll; i++) await ask('/public', `203.0.${i % strangers}.1`);
}

async function readLength(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  return length;
}

test('strangers who do not read theirs keep no account from its own', async () => {
  await listen();
  await fillPublicPlaces();
  expect(await readLength(await ask('/of/shop', '203.0.0.1'))).toBe(pieces * piece.length);
}, 30_000);

test('accounts have so many places and no more, and keep no stranger out', async () => {
  await listen();
  const all = Array.from({ length: maxAccountAnswers.inAll }, (_, i) => ask(`/of/shop-${i}`, '203.0.0.1'));
  const responses = await Promise.all(all);
  expect(sent.begun).toBe(maxAccountAnswers.inAll);
  const next = ask('/of/one-more', '203.0.0.1');
  expect(await readLength(await ask('/public', '203.0.0.1'))).toBe(pieces * piece.length);
  expect(sent.begun).toBe(maxAccountAnswers.inAll + 1);
  responses[0]!.destroy();
  expect(await readLength(await next)).toBe(pieces * piece.length);
}, 30_000);

test('all of a /48 has half of the places, and keeps nobody else out', async () => {
  await listen();
  const half = maxLargeAnswers.inAll / 2;
  let answered = 0;
  const halfAnswered = new Promise<void>((resolve) => {
    for (let i = 0; i < maxLargeAnswers.inAll; i++) {
      const begun = (): void => {
        answered += 1;
        if (answered === half) resolve();
      };
      // Those that wait are hung up on at the end.
      ask('/public', `2001:db8:1:${i.toString(16)}00::1`).then(begun, () => undefined);
    }
  });
  await halfAnswered;
  await Promise.all(['203.0.0.1', '2001:db8:2::1'].map((client) => ask('/public', client)));
  expect(answered).toBe(half);
}, 30_000);

test('a client that reads a little now and then is cut off, and its place is free', async () => {
  pace = { bytes: 32_768, ms: 50, mostMs: 100 };
  await listen();
  const accepted = once(app.server, 'connection').then(([socket]) => socket as Socket);
  const slow = await ask('/public', '203.0.0.1');
  const trickle = setInterval(() => slow.read(1), 10);
  await once(await accepted, 'close');
  clearInterval(trickle);
  expect([slow.complete, sent]).toEqual([false, { begun: 1, ended: 1 }]);
  slow.destroy();
}, 30_000);
