import { expect, test } from 'vitest';
import { electrumLimits } from '../../service/src/parts/electrum/electrum-limits.ts';
import { parseMessage } from '../../service/src/parts/electrum/rpc/messages.ts';
import { openScriptPubKey } from '../chain/scripts.ts';
import type { Protocol } from './attacks.ts';
import { listAttacks, listTries } from './list-attacks.ts';

const HTTP_CONNECTIONS = 200;

const attacks = listAttacks({
  script: openScriptPubKey(1),
  txid: '0a'.repeat(32),
  hub: openScriptPubKey(2),
  manyItems: '0b'.repeat(32),
});
const electrum = attacks.filter(({ protocol }) => protocol === 'electrum');

test('attacks have names of their own, by which each can be chosen', () => {
  const names = listTries(attacks).map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('all attacks at once have no more connections than a client is allowed, so that none is kept out by the others', () => {
  const [, all] = listTries(attacks).at(-1)!;
  const count = (of: Protocol): number =>
    all.reduce((sum, { protocol, connections }) => sum + (protocol === of ? connections : 0), 0);
  expect(count('http')).toBeLessThanOrEqual(HTTP_CONNECTIONS);
  expect(count('electrum')).toBeLessThanOrEqual(electrumLimits.sessions.ofClient);
});

test('what is sent over Electrum is one message that is read to its end', () => {
  for (const { name, bytes } of electrum) {
    expect(bytes.indexOf('\n'), name).toBe(bytes.length - 1);
    expect(bytes.length, name).toBeLessThanOrEqual(electrumLimits.messageBytes);
  }
});

test('only nested messages and those of small values have more parts than are parsed', () => {
  const isParsed = (bytes: Buffer): boolean => {
    try {
      parseMessage(bytes.toString('latin1'));
      return true;
    } catch {
      return false;
    }
  };
  const refused = electrum.filter(({ bytes }) => !isParsed(bytes)).map(({ name }) => name);
  expect(refused).toEqual(['Electrum: nested messages', 'Electrum: messages of small values']);
});
