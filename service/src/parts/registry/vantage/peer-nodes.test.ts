import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseVantagePeers } from '../../../config-values.ts';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { chooseOthers, followPeerNodes } from './peer-nodes.ts';
import { LIST_PAGE, LIST_ROUND, MAX_OTHERS } from './vantage-bounds.ts';

const ONION = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion:29666';
const slot = { startMs: 600_000, endMs: 1_200_000 };
const rules = { allow: createAllowList([]), ports: [29_666], socks: undefined };
const listed = (endpoint: string, dueMs = 0) => ({ nodeKey: 'ab'.repeat(32), endpoint, dueMs });
const choose = (lists: Parameters<typeof chooseOthers>[0], own: Parameters<typeof chooseOthers>[1] = []) =>
  chooseOthers(lists, own, slot, rules).map(({ endpoint }) => endpoint);

test('only what the own rules allow is looked at, whatever a peer lists', () => {
  const list = [
    ...['8.8.8.8:29666', '8.8.4.4:22', '127.0.0.1:29666', '10.0.0.1:29666', '169.254.169.254:29666'],
    ...['[::1]:29666', '[::ffff:10.0.0.1]:29666', 'node.example:29666', ONION, 'nonsense', ''],
  ].map((endpoint) => listed(endpoint));
  expect(choose([list])).toEqual(['8.8.8.8:29666']);
  const socks = { host: '127.0.0.1', port: 9050 };
  expect(chooseOthers([list], [], slot, { ...rules, socks }).map(({ network }) => network)).toContain(
    'onion',
  );
});

test('an endpoint is looked at once, whoever lists it, and in whatever form, and never beside the own look', () => {
  const list = ['8.8.8.8:29666', '[::ffff:8.8.8.8]:29666', '1.1.1.1:29666'].map((each) => listed(each));
  expect(choose([list, list])).toEqual(['8.8.8.8:29666', '1.1.1.1:29666']);
  expect(choose([list], [{ endpoint: '1.1.1.1:29666', network: '1.1.1.0/24' }])).toEqual(['8.8.8.8:29666']);
});

test('a node that its registry leaves alone is left alone here', () => {
  expect(
    choose([[listed('8.8.8.8:29666', slot.startMs + 1), listed('1.1.1.1:29666', slot.startMs)]]),
  ).toEqual(['1.1.1.1:29666']);
});

test('eight of one network, the own nodes there counted, and no more', () => {
  const list = Array.from({ length: 50 }, (_, i) => listed(`8.8.8.${i + 1}:29666`));
  expect(choose([list])).toHaveLength(8);
  const own = [1, 2, 3].map((i) => ({ endpoint: `8.8.8.${100 + i}:29666`, network: '8.8.8.0/24' }));
  expect(choose([list], own)).toHaveLength(5);
});

test('of long lists so many in all, and of each as many as of others', () => {
  const long = (first: number) =>
    Array.from({ length: 5_000 }, (_, i) => listed(`${first}.${i >> 8}.${i & 0xff}.1:29666`));
  const chosen = choose([long(8), long(9), [listed('1.1.1.1:29666')]]);
  expect(chosen).toHaveLength(MAX_OTHERS);
  expect(chosen).toContain('1.1.1.1:29666');
  const count = (first: string) => chosen.filter((each) => each.startsWith(first)).length;
  expect(Math.abs(count('8.') - count('9.'))).toBeLessThan(3);
});

/** What comes of one reading of a list that has a page for each number; and the pages that were asked for. */
async function readPages(pageOf: (i: number) => string, pageMs = 0) {
  let [asked, nowMs] = [0, slot.startMs];
  const nodes = followPeerNodes({
    ...{ peers: [{ key: '0a'.repeat(32), url: 'https://a.example' }], rules: { ...rules, slotMs: 600_000 } },
    client: {
      async fetchText() {
        nowMs += pageMs;
        return pageOf(asked++);
      },
    },
    now: () => nowMs,
  });
  // Nothing of a reading waits for anything else.
  await setImmediate();
  await nodes.stop();
  return { asked, listed: nodes.list([], slot).map(({ endpoint }) => endpoint) };
}
const itemOf = (i: number, more = {}) => ({
  ...{ node_key: 'ab'.repeat(32), endpoint: `8.${i >> 8}.${i & 0xff}.1:29666`, reached: null, ...more },
});
const pageOf = (items: object[], more: object = {}) => JSON.stringify({ items, next_cursor: null, ...more });

test('a list of one node a page is read so many pages far, and so long', async () => {
  const onePerPage = (i: number) => pageOf([itemOf(i)], { next_cursor: String(i) });
  const { asked, listed } = await readPages(onePerPage);
  expect([asked, listed.length]).toEqual([LIST_ROUND.pages, LIST_ROUND.pages]);
  expect((await readPages(onePerPage, LIST_ROUND.ms / 4)).asked).toBe(4);
});

test('a page of many parts or at great length is not read, and one of what nodes can say is', async () => {
  const [long, full] = [' '.repeat(300_000), { user_agent: ','.repeat(256), rest: Array(40).fill({}) }];
  expect((await readPages(() => pageOf([itemOf(1)], { x: Array(30_000).fill([]) }))).listed).toEqual([]);
  expect((await readPages(() => pageOf([itemOf(1)]) + long)).listed).toEqual([]);
  const items = Array.from({ length: LIST_PAGE }, (_, i) => itemOf(i, full));
  expect((await readPages(() => pageOf(items))).listed).toHaveLength(LIST_PAGE);
});

test('peers are named by key and URL, each once', () => {
  const [a, b] = ['0a'.repeat(32), '0b'.repeat(32)];
  expect(parseVantagePeers(`${a.toUpperCase()}=https://a.example/, ${b}=http://b.example:8080`)).toEqual([
    { key: a, url: 'https://a.example' },
    { key: b, url: 'http://b.example:8080' },
  ]);
  for (const [given, fault] of [
    ['https://a.example', 'registry_key'],
    [`${a}=ftp://a.example`, 'not a URL'],
    [`${a}=https://a.example,${a}=https://b.example`, 'key'],
    [`${a}=https://a.example,${b}=https://a.example`, 'named twice'],
    [
      Array.from({ length: 17 }, (_, i) => `${String(i).padStart(64, '0')}=https://${i}.example`).join(),
      '17 peers',
    ],
  ])
    expect(parseVantagePeers(given!)).toContain(fault);
});
