import { createHash } from 'node:crypto';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import { finishStatus, hashConfirmed, orderUnconfirmed, showStatus } from './status-rules.ts';

const txid = (text: string): Uint8Array => getValue(parseDisplayHash(text));

/** The example of the protocol's description, version 1.6. */
const confirmed = [
  ['a6c9c361bd0bc536d6a22648efbf8f9b200e425ef6c3a7a9669dc444c532a347', 2472],
  ['9c42f84b2fcdaff676ba25d9d4941741cc0d1a01cce0c23fdc4c0b2afa38431c', 2473],
  ['770f2d4371b3fabb902dd9a103e2dd005fcd3971181078fca4a2a1d6ff127b30', 2473],
].map(([text, height]) => ({ txid: txid(String(text)), height: Number(height) }));
const unconfirmed = [
  ['bb4c8ab438c13b89ca80d1d5bee25b0b6b7f55673f4d801998ba97db161d9e85', true],
  ['e02a1dadfa83b996b24175df807b271ea5d02937ef5b35c195fac1e1bdc3198f', false],
  ['80b19848aed792565ab7c5a79b7c2a00fbf985741579396ebe0ab6098e607311', false],
].map(([text, hasUnconfirmedParent]) => ({
  txid: txid(String(text)),
  hasUnconfirmedParent: hasUnconfirmedParent === true,
}));

test('the status of the example in the description of the protocol', () => {
  const hash = createHash('sha256');
  hashConfirmed(hash, confirmed);
  const status = finishStatus(hash, orderUnconfirmed(unconfirmed));
  expect(showStatus(status)).toBe('"78e96c6562cafa71c115503b9411fdfdc595a45031e2ab76ff75162fe1b0590d"');
});

test('a script without history has none', () => {
  expect(showStatus(null)).toBe('null');
});
