import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAuthority, createSelfSigned } from '../../../../../test/harness/certificates.ts';
import { waitUntil } from '../../../../../test/harness/litecoind.ts';
import { type Answer, type Receiver, startReceiver } from '../../../../../test/harness/receiver.ts';
import { createAllowList } from '../../../outbound/allow-list.ts';
import type { OutboundOptions } from '../../../outbound/outbound-client.ts';
import { createRateClient } from '../../../outbound/rate-client.ts';
import { type FollowedRates, followRates } from './follow-rates.ts';
import { formatRate } from './rate-rules.ts';

const authority = createAuthority();
const certificate = authority.issue({ names: ['exchange.example', '127.0.0.1'] });
const NOW = 1_800_000_000_000;

let folder = '';
let nowMs = NOW;
let log: string[] = [];
const toStop: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-rates-'));
  nowMs = NOW;
  log = [];
});
afterEach(async () => {
  for (const stop of toStop.splice(0).reverse()) await stop();
  await rm(folder, { recursive: true, force: true });
});

/** As a program of the operator does it: nobody reads half of it. */
async function put(name: string, content: unknown): Promise<void> {
  const half = join(folder, `${name}.half`);
  await writeFile(half, typeof content === 'string' ? content : JSON.stringify(content));
  await rename(half, join(folder, name));
}

/** Follows the sources of `rates.json`, which may not be there; loopback is opened unless told otherwise. */
function follow(options: Partial<OutboundOptions> = {}): FollowedRates {
  const allow = options.allow ?? createAllowList(['loopback', 'exchange.example']);
  const client = createRateClient(
    {
      resolve: async () => ['127.0.0.1'],
      ca: [authority.cert],
      limits: { maxBodyBytes: 4_096 },
      ...options,
      allow,
    },
    'Test',
  );
  const rates = followRates({
    file: join(folder, 'rates.json'),
    allow,
    fetchText: client.fetchText,
    now: () => nowMs,
    random: () => 0,
    log: (level, message) => void log.push(`${level}: ${message}`),
    lookEveryMs: 5,
  });
  toStop.push(() => {
    client.close();
    return rates.stop();
  });
  return rates;
}

async function serve(answer: Answer, options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> {
  const receiver = await startReceiver({ certificate, answer, ...options });
  toStop.push(() => receiver.stop());
  return receiver;
}

const say =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200).end(text);
const exchangeAt = ({ port }: Receiver, change: object = {}) => ({
  name: 'exchange',
  url: `https://exchange.example:${port}/ticker`,
  currency: 'EUR',
  path: 'price',
  every: 1,
  ...change,
});
const waitForLog = (text: string) => waitUntil(`the log says "${text}"`, () => log.join('\n').includes(text));
const show = (rates: FollowedRates, currency = 'EUR') => {
  const found = rates.find(currency);
  return typeof found === 'string' ? found : formatRate(found.rate);
};
const waitForRate = (rates: FollowedRates, rate: string, currency = 'EUR') =>
  waitUntil(`${currency} is ${rate}`, () => show(rates, currency) === rate);

describe('an address', () => {
  test.each([
    ['a number', '{"price":0.0123}', {}, '0.0123'],
    ['a string with an exponent', '{"price":"1.5e-7"}', {}, '0.00000015'],
    ['more digits than a float has', '{"price":0.123456789012345678901}', {}, '0.123456789012345678901'],
    ['it deep in the answer', '{"data":[{},{"a":{"b":"7"}}]}', { path: 'data.1.a.b' }, '7'],
    ['coins for one of the currency', '{"price":80}', { invert: true }, '0.0125'],
  ])('that says %s is a source', async (_, answer, change, rate) => {
    const exchange = await serve(say(answer));
    await put('rates.json', { sources: [exchangeAt(exchange, change)] });
    const rates = follow();
    await waitForRate(rates, rate);
    expect(rates.find('EUR')).toMatchObject({ sources: ['exchange'], atMs: NOW });
    expect(exchange.received[0]).toMatchObject({
      method: 'GET',
      path: '/ticker',
      headers: { accept: 'application/json', 'user-agent': 'Test' },
    });
    expect(log).toEqual([]);
  });

  test.each<[string, Answer, string]>([
    ['is no JSON', say('<html>'), 'the answer is not JSON'],
    ['has nothing at the path', say('{"last":1}'), 'the answer has nothing at "price"'],
    ['has an object there', say('{"price":{"a":1}}'), 'is not a number'],
    ['is negative', say('{"price":-0.5}'), '"-0.5" is not a positive decimal'],
    ['is zero', say('{"price":0.00}'), 'it is zero'],
    ['is NaN', say('{"price":"NaN"}'), 'not a positive decimal'],
    ['is too large a number', say('{"price":1e20}'), 'whole digits'],
    ['is a number of a thousand digits', say(`{"price":0.${'1'.repeat(1_000)}}`), 'not a positive decimal'],
    ['is too long', say(`{"price":1,"more":"${'x'.repeat(5_000)}"}`), 'The answer is too large'],
    ['is a fault of the other side', (response) => response.writeHead(500).end('{"price":1}'), 'status 500'],
    ['is nothing', (response) => response.destroy(), 'closed before there was an answer'],
    [
      'has endless headers',
      (response) =>
        response.writeHead(200, { a: 'x'.repeat(15_000), b: 'y'.repeat(15_000) }).end('{"price":1}'),
      'headers of the answer are too large',
    ],
  ])('whose answer %s gives no rate, and the log says why', async (_, answer, reason) => {
    const exchange = await serve(answer);
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    const rates = follow();
    await waitForLog(reason);
    expect(log).toEqual([
      expect.stringMatching(/^warn: The rate source exchange has given no rate for EUR so far/),
    ]);
    expect(rates.find('EUR')).toBe('unavailable');
    expect(rates.list()).toEqual([{ currency: 'EUR', chosen: undefined }]);
    expect(rates.listFailures()).toEqual(new Map([['exchange', 1]]));
    expect(rates.listNewest()).toEqual(new Map());
  });

  test.each<[string, Answer]>([
    ['begin', () => {}],
    ['end', (response) => void response.writeHead(200).write('{"price":')],
  ])('whose answer does not %s in time gives no rate', async (_, answer) => {
    const exchange = await serve(answer);
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    const rates = follow({ limits: { totalTimeoutMs: 200 } });
    await waitForLog('There was no answer within 0.2 s.');
    expect(show(rates)).toBe('unavailable');
    await exchange.waitForClosed();
  });

  test('that redirects is not followed', async () => {
    const other = await serve(say('{"price":1}'));
    const exchange = await serve((response) =>
      response.writeHead(302, { location: `https://exchange.example:${other.port}/` }).end('{"price":2}'),
    );
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    const rates = follow();
    await waitForLog('status 302');
    expect(other.connections()).toBe(0);
    expect(show(rates)).toBe('unavailable');
  });

  test('that leads inside is not connected to unless it is opened', async () => {
    const exchange = await serve(say('{"price":1}'));
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    follow({ allow: createAllowList([]) });
    await waitForLog('not of the public internet');
    expect(exchange.connections()).toBe(0);
  });

  test.each([
    ['nobody vouches for', createSelfSigned({ names: ['exchange.example'] }), 'self-signed'],
    ['is for another host', authority.issue({ names: ['other.example'] }), 'for another host'],
    [
      'has expired',
      authority.issue({ names: ['exchange.example'], notAfter: new Date(Date.now() - 1_000) }),
      'expired',
    ],
  ])('whose certificate %s is not asked', async (_, bad, reason) => {
    const exchange = await serve(say('{"price":1}'), { certificate: bad });
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    follow();
    await waitForLog(reason);
    expect(exchange.received).toEqual([]);
  });

  test('is asked again and again, and the log tells once that it fails and once that it is back', async () => {
    let answer = '{"price":1}';
    const exchange = await serve((response, request, number) => say(answer)(response, request, number));
    await put('rates.json', { max_age: 60, sources: [exchangeAt(exchange)] });
    const rates = follow();
    await waitForRate(rates, '1');
    answer = 'broken';
    await exchange.waitForRequests(3);
    // What it said holds as long as it is fresh.
    expect(show(rates)).toBe('1');
    nowMs += 60_001;
    await waitForLog('what it said is 60 s old. The last try failed: the answer is not JSON.');
    expect(show(rates)).toBe('unavailable');
    answer = '{"price":2}';
    await waitForRate(rates, '2');
    await waitForLog('info: The rate source exchange is used for EUR again.');
    expect(log).toHaveLength(2);
  }, 20_000);

  test('is let be when it leaves the list, and the others go on', async () => {
    const [first, second] = [await serve(say('{"price":1}')), await serve(say('{"price":3}'))];
    const staying = exchangeAt(first, { every: 3_600 });
    const leaving = exchangeAt(second, { name: 'b', currency: 'USD', every: 3_600 });
    await put('rates.json', { sources: [staying, leaving] });
    const rates = follow();
    await waitForRate(rates, '1');
    await waitForRate(rates, '3', 'USD');
    await put('rates.json', { max_age: 60, sources: [staying] });
    await waitForRate(rates, 'unknown', 'USD');
    expect(show(rates)).toBe('1');
    expect(first.received).toHaveLength(1);
    expect(rates.maxAgeSeconds()).toBe(60);
  });

  test('that does not answer holds nobody up at the end', async () => {
    const exchange = await serve(() => {});
    await put('rates.json', { sources: [exchangeAt(exchange)] });
    follow({ limits: { totalTimeoutMs: 3_600_000 } });
    await exchange.waitForRequests(1);
    await toStop.pop()!();
    await exchange.waitForClosed();
  });
});

test('of three sources the one that lies is left out, which the log says once', async () => {
  const says = ['1', '1.02', '9'];
  const exchanges = await Promise.all(
    says.map((_, i) => serve((response) => response.writeHead(200).end(`{"price":${says[i]}}`))),
  );
  await put('rates.json', {
    sources: exchanges.map((each, i) => exchangeAt(each, { name: `exchange-${i}` })),
  });
  const rates = follow();
  await waitForRate(rates, '1.01');
  expect(rates.find('EUR')).toMatchObject({ sources: ['exchange-0', 'exchange-1'] });
  await Promise.all(exchanges.map((each) => each.waitForRequests(3)));
  expect(log.filter((line) => line.includes('exchange-2'))).toEqual([
    'warn: The rate source exchange-2 is left out for EUR: it is too far from the others.',
  ]);
  says[2] = '1.01';
  await waitForLog('info: The rate source exchange-2 is used for EUR again.');
  expect(rates.find('EUR')).toMatchObject({ sources: ['exchange-0', 'exchange-1', 'exchange-2'] });
}, 20_000);

test('a rate that changes too much at once is used when it has stayed, which the log says once', async () => {
  await put('rates.json', { max_change_percent: 10, sources: [{ name: 'house', file: 'house.json' }] });
  const say = (rate: string) => put('house.json', { EUR: rate, at: new Date(nowMs).toISOString() });
  await say('1');
  const rates = follow();
  await waitForRate(rates, '1');
  await say('2');
  await waitForLog('warn: The rate for EUR is not used for now: it changed too much at once.');
  expect([show(rates), rates.list()]).toEqual(['unavailable', [{ currency: 'EUR', chosen: undefined }]]);
  nowMs += 599_999;
  expect(show(rates)).toBe('unavailable');
  nowMs += 1;
  await waitForRate(rates, '2');
  await waitForLog('info: The rate for EUR is not held back any more.');
  expect(log).toHaveLength(2);
});

describe('a file', () => {
  beforeEach(() => put('rates.json', { sources: [{ name: 'house', file: 'house.json' }] }));

  test('is read, and again when it changes; what was good stays where the next is not', async () => {
    await put('house.json', '{"EUR":"0.0123","JPY":2.50}');
    nowMs = Date.now();
    const rates = follow();
    await waitForRate(rates, '0.0123');
    expect(show(rates, 'JPY')).toBe('2.5');
    expect(rates.find('GBP')).toBe('unknown');
    await put('house.json', '{"EUR":"0.0');
    await waitUntil('it is looked at', () => rates.listFailures().get('house') === 1);
    expect(show(rates)).toBe('0.0123');
    await put('house.json', '{"EUR":"0.02"}');
    await waitForRate(rates, '0.02');
    expect(rates.find('JPY')).toBe('unknown');
  });

  test('is as old as it says, or as its last change', async () => {
    await put('house.json', { EUR: 1, at: new Date(NOW - 599_000).toISOString() });
    const rates = follow();
    await waitForRate(rates, '1');
    expect(rates.find('EUR')).toMatchObject({ atMs: NOW - 599_000 });
    nowMs += 1_001;
    expect(show(rates)).toBe('unavailable');
    await put('house.json', { EUR: 2 });
    await utimes(join(folder, 'house.json'), nowMs / 1_000, nowMs / 1_000);
    await waitForRate(rates, '2');
    nowMs += 600_001;
    expect(show(rates)).toBe('unavailable');
    await waitForLog('The rate source house is left out for EUR: what it said is 600 s old.');
    expect(rates.listNewest().get('EUR')).toBe(nowMs - 600_001);
  });

  test('of a time that has not come is left out', async () => {
    await put('house.json', { EUR: 1, at: new Date(NOW + 3_600_000).toISOString() });
    const rates = follow();
    await waitForLog('its time is in the future');
    expect(show(rates)).toBe('unavailable');
  });

  test('that is not there, or is no file, gives nothing', async () => {
    const rates = follow();
    await waitUntil('it is looked at', () => rates.listFailures().get('house') === 1);
    expect(rates.find('EUR')).toBe('unavailable');
    await mkdir(join(folder, 'house.json'));
    await waitUntil('it is looked at', () => rates.listFailures().get('house') === 1);
    expect(rates.list()).toEqual([]);
  });
});

describe('the list of sources', () => {
  test('may come later', async () => {
    const rates = follow();
    await waitForLog('The file of rate sources is not used: it cannot be read (ENOENT).');
    expect([rates.find('EUR'), rates.list(), rates.maxAgeSeconds()]).toEqual(['unavailable', [], undefined]);
    await put('house.json', { EUR: 1, at: new Date(NOW).toISOString() });
    await put('rates.json', { sources: [{ name: 'house', file: join(folder, 'house.json') }] });
    await waitForRate(rates, '1');
    expect(log).toHaveLength(1);
  });

  test('may be empty', async () => {
    await put('rates.json', { sources: [] });
    const rates = follow();
    await waitUntil('it is read', () => rates.find('EUR') === 'unknown');
  });
});
