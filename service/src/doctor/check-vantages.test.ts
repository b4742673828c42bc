import { expect, test } from 'vitest';
import { judgeVantage } from './check-vantages.ts';

const own = { genesisHash: 'aa'.repeat(32), slotSeconds: 600, publicKey: '0a'.repeat(32) };
const peer = { key: '0b'.repeat(32), url: 'https://b.example' };
const sound = {
  ...{ registry_key: peer.key, network: own.genesisHash, rules: { slot_seconds: 600 } },
  vantages: [{ vantage: own.publicKey, last_slot: null }],
};
const judge = (change: object) => judgeVantage(peer, JSON.stringify({ ...sound, ...change }), own);

test('a vantage point that is sound and lists this service is good', () => {
  expect(judge({})).toMatchObject({ level: 'ok' });
});

test.each([
  ['another key', { registry_key: '0c'.repeat(32) }, 'another key'],
  ['another chain', { network: 'bb'.repeat(32) }, 'another chain'],
  ['slots of another length', { rules: { slot_seconds: 60 } }, 'slots of 60 seconds'],
  ['no list', { vantages: null }, 'does not list this service'],
  ['a list without this service', { vantages: [null, { vantage: peer.key }] }, 'does not list'],
])('one with %s is told of', (_, change, text) => {
  const found = judge(change);
  expect(found.text).toContain(text);
  expect(found.level).not.toBe('ok');
});

test('one that does not answer, or talks nonsense, is told of', () => {
  expect(judgeVantage(peer, undefined, own).text).toContain('does not answer');
  for (const text of ['', 'null', '[]', '{"rules":null}'])
    expect(judgeVantage(peer, text, own).text).toContain('another key');
});

test('this service itself is none', () => {
  expect(judgeVantage(peer, JSON.stringify(sound), { ...own, publicKey: peer.key }).text).toContain('itself');
});
