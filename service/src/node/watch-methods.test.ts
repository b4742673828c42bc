import { afterEach, expect, test } from 'vitest';
import { type FakeRequest, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import type { MethodUse } from './methods.ts';
import { createNodeClient } from './rpc-client.ts';
import { openMethodWatch } from './watch-methods.ts';

const NEEDS = { indexes: true, sends: true, tests: false, packages: false, anchors: false };
const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A watch of a node that forbids what `forbidden` names at the time, and a clock that is set by hand. */
async function watchFake() {
  const forbidden = new Set<string>();
  const clock = { ms: 0 };
  let asked = 0;
  const listMethods = ({ rpc }: FakeRequest) =>
    (Array.isArray(rpc) ? rpc : [rpc]).map(({ method }: { method: string }) => method);
  const fake = await startFakeNode((response, request) => {
    if (request.rpc === undefined) return response.writeHead(404).end('no REST');
    asked++;
    if (listMethods(request).some((method) => forbidden.has(method))) return response.writeHead(403).end();
    return sendResults(response, request, () => null);
  });
  const client = createNodeClient({ url: fake.url });
  closing.push(fake.stop, client.close);
  const changes: string[][] = [];
  const watch = openMethodWatch({
    node: client,
    needs: NEEDS,
    onChange: (refused: readonly MethodUse[]) => changes.push(refused.map(({ method }) => method)),
    now: () => clock.ms,
  });
  const look = async (): Promise<number> => {
    asked = 0;
    await watch.look();
    return asked;
  };
  return { watch, look, forbidden, clock, changes };
}

test('a node that allows all is asked once, in one request', async () => {
  const { watch, look, clock, changes } = await watchFake();
  expect(watch.list()).toBeUndefined();
  expect(await look()).toBe(1);
  clock.ms += 3_600_000;
  expect(await look()).toBe(0);
  expect([watch.list(), changes]).toEqual([[], [[]]]);
});

test('what is needed and missing is asked for once a minute, and each change is told once', async () => {
  const { watch, look, forbidden, clock, changes } = await watchFake();
  forbidden.add('sendrawtransaction');
  expect(await look()).toBeGreaterThan(1);
  expect(watch.isRefused('sendrawtransaction')).toBe(true);
  clock.ms += 59_999;
  expect(await look()).toBe(0);
  clock.ms += 1;
  expect(await look()).toBeGreaterThan(1);
  forbidden.clear();
  clock.ms += 60_000;
  expect(await look()).toBe(1);
  expect(changes).toEqual([['sendrawtransaction'], []]);
});

test('what the service does without is not asked for again by itself', async () => {
  const { watch, look, forbidden, clock } = await watchFake();
  forbidden.add('getpeerinfo');
  await look();
  clock.ms += 3_600_000;
  expect(await look()).toBe(0);
  expect(watch.list()).toMatchObject([{ method: 'getpeerinfo', optional: true }]);
});

test('a refused call, or a node that was away, has all asked again', async () => {
  const { watch, look, forbidden, clock } = await watchFake();
  await look();
  forbidden.add('getrawmempool');
  watch.doubt();
  expect(await look()).toBe(0);
  clock.ms += 60_000;
  expect(await look()).toBeGreaterThan(1);
  forbidden.clear();
  watch.forget();
  expect(await look()).toBe(1);
  expect(watch.list()).toEqual([]);
});
