import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLooksFault, type NodeLook, type SignedLooks } from './looks.ts';
import type { Receipt, Verdict } from './receipt.ts';
import { findVotesFault } from './verify-votes.ts';
import { judgeVotes, LEAST_VOTES, readVote, type Vote } from './votes.ts';

const OWN = 'aa';
const vectors = JSON.parse(
  readFileSync(new URL('../../docs/protocols/vectors/registry.json', import.meta.url), 'utf8'),
) as { looks: SignedLooks[]; voted_receipts: { receipt: Receipt }[] };

const voteOf = (result: Verdict, i: number, proven = false): Vote => ({
  ...{ vantage: String(i).padStart(2, '0'), statements: ['00'], result, proven },
  reason: result === 'pass' ? null : `${result} ${i}`,
});
const results = fc.array(fc.constantFrom<Verdict>('pass', 'fail', 'void'), { maxLength: 16 });
const count = (votes: readonly Vote[], result: Verdict) =>
  votes.filter((vote) => vote.result === result).length;

test('of three votes or more the majority decides, as many on both sides are no judgement, and fewer leave it to the registry', () => {
  fc.assert(
    fc.property(results, (given) => {
      const votes = given.map((result, i) => voteOf(result, i));
      const [passed, failed] = [count(votes, 'pass'), count(votes, 'fail')];
      const voted = judgeVotes(votes, OWN);
      if (passed + failed < LEAST_VOTES) expect(voted).toBeUndefined();
      else if (passed === failed)
        expect(voted).toEqual({ verdict: 'void', reason: 'vantages_tied', proven: false });
      else expect(voted!.verdict).toBe(passed > failed ? 'pass' : 'fail');
    }),
  );
});

test('who does not vote changes nothing, wherever it stands', () => {
  fc.assert(
    fc.property(results, fc.nat(16), (given, at) => {
      const votes = given.map((result, i) => voteOf(result, i));
      expect(judgeVotes(votes.toSpliced(at, 0, voteOf('void', 99)), OWN)).toEqual(judgeVotes(votes, OWN));
    }),
  );
});

test('fewer than half cannot make a verdict, whatever they say and show', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.boolean(), fc.boolean(), (honest, isThere, isProven) => {
      const truth = (i: number) => voteOf(isThere ? 'pass' : 'fail', i, isThere && isProven);
      const lie = (i: number) => voteOf(isThere ? 'fail' : 'pass', i, true);
      const votes = [
        ...Array.from({ length: honest }, (_, i) => truth(i)),
        ...Array.from({ length: honest - 1 }, (_, i) => lie(honest + i)),
      ];
      const voted = judgeVotes(votes, OWN);
      expect(voted).toMatchObject({
        verdict: isThere ? 'pass' : 'fail',
        proven: isThere && isProven,
      });
    }),
  );
});

test('the reason of a failure is that of the registry if it saw one, or else of the first who did', () => {
  const [a, b, c] = [voteOf('fail', 1), voteOf('pass', 2), voteOf('fail', 3)];
  expect(judgeVotes([a, b, c], OWN)!.reason).toBe('fail 1');
  expect(judgeVotes([a, b, { ...c, vantage: OWN }], OWN)!.reason).toBe('fail 3');
});

test.each(['unresolved', 'address_refused', 'endpoint_taken', 'network_full', 'endpoint_refused'])(
  'nobody outvotes the registry where it says %s',
  (reason) => {
    const votes = [1, 2, 3, 4].map((i) => voteOf('pass', i));
    expect(judgeVotes([...votes, { ...voteOf('fail', 5), vantage: OWN, reason }], OWN)).toBeUndefined();
    expect(judgeVotes([...votes, { ...voteOf('fail', 5), vantage: '05', reason }], OWN)!.verdict).toBe(
      'pass',
    );
  },
);

test('who says nothing, or two things, does not vote', () => {
  const look: NodeLook = {
    ...{ endpoint: 'here', at: null, result: 'pass', reason: null, lag: 0, tokens: ['mine'] },
  };
  const statement = (hash: string, found?: NodeLook) => ({ hash, find: () => found });
  const place = { endpoint: 'here', token: 'mine' };
  expect(readVote('v', [], place)).toMatchObject({ result: 'void', reason: 'vantage_missing' });
  expect(readVote('v', [statement('a')], place)).toMatchObject({ reason: 'vantage_silent' });
  expect(readVote('v', [statement('b', look), statement('a', look)], place)).toMatchObject({
    ...{ result: 'void', reason: 'vantage_equivocal', statements: ['a', 'b'], proven: false },
  });
  expect(readVote('v', [statement('a', look)], place)).toEqual({
    ...{ vantage: 'v', statements: ['a'], result: 'pass', reason: null, proven: true },
  });
});

const find = (statements: readonly SignedLooks[]) => (hash: string) =>
  statements.find((each) => each.hash === hash);
const [majority, equivocal, alone] = vectors.voted_receipts.map(({ receipt }) => receipt) as [
  Receipt,
  Receipt,
  Receipt,
];

test('the verdicts of the vectors follow from their signed statements', () => {
  expect(vectors.looks.map(findLooksFault)).toEqual(vectors.looks.map(() => undefined));
  expect(majority).toMatchObject({ verdict: 'pass', observed: { endpoint_proven: true } });
  expect(equivocal).toMatchObject({ verdict: 'fail', reason: 'unreachable' });
  expect(alone).toMatchObject({ verdict: 'fail', reason: 'unreachable' });
  for (const receipt of [majority, equivocal, alone])
    expect(findVotesFault(receipt, find(vectors.looks))).toBeUndefined();
});

test('a receipt that says something else than its statements is found out', () => {
  const faultOf = (change: Partial<Receipt>, statements = vectors.looks) =>
    findVotesFault({ ...majority, ...change }, find(statements));
  const votes = majority.votes!;
  const other = (change: Partial<Vote>, i = votes.findIndex(({ result }) => result === 'pass')) =>
    votes.map((vote, at) => (at === i ? { ...vote, ...change } : vote));
  expect(faultOf({ verdict: 'fail', reason: 'unreachable' })).toContain('not that of its votes');
  expect(faultOf({ observed: { ...majority.observed!, endpoint_proven: false } })).toContain('proven');
  expect(faultOf({ votes: other({ result: 'fail', reason: 'timeout' }) })).toContain(
    'not what its statement says',
  );
  expect(faultOf({ votes: other({ statements: [], result: 'void', reason: 'vantage_silent' }) })).toContain(
    'not what its statement says',
  );
  expect(faultOf({ votes: other({ proven: false }) })).toContain('not what its statement says');
  expect(faultOf({ votes: votes.toReversed() })).toContain('order');
  expect(faultOf({ votes: votes.filter(({ vantage }) => vantage !== majority.registry_key) })).toContain(
    'missing',
  );
  expect(faultOf({ slots: { ...majority.slots, to: '2026-11-20T12:30:00.000Z' } })).toContain('another slot');
  expect(faultOf({ network: 'ab'.repeat(32) })).toContain('another chain');
  expect(faultOf({}, vectors.looks.slice(1))).toContain('not there');
  const forged = vectors.looks.map((each) => ({ ...each, signature: vectors.looks[0]!.signature }));
  expect(faultOf({}, forged)).toContain('signature');
  expect(faultOf({ votes: undefined! })).toContain('no votes');
  expect(findVotesFault({ ...majority, version: 1 }, find(vectors.looks))).toContain('another version');
});

test('a statement with other looks, in another order or with one endpoint twice, is none', () => {
  const [signed] = vectors.looks as [SignedLooks];
  const { statement } = signed;
  const [look] = statement.looks as [NodeLook];
  const faultOf = (change: object) => findLooksFault({ ...signed, statement: { ...statement, ...change } });
  expect(faultOf({ looks: [look, look] })).toContain('order');
  expect(faultOf({ looks: [] })).toContain('hash');
  expect(faultOf({ slot: { from: statement.slot.to, to: statement.slot.from } })).toContain('slot');
  expect(faultOf({ looks: Array.from({ length: 11_001 }, () => look) })).toContain('11001 looks');
  expect(findLooksFault({ ...signed, signature: '00'.repeat(64) })).toContain('signature');
});

test('a look has only reasons that its result can have', () => {
  const { statement } = vectors.looks[0]!;
  const faultOf = (change: Partial<NodeLook>) =>
    findLooksFault({
      statement: { ...statement, looks: [{ ...statement.looks[0]!, ...change }] },
      ...{ hash: '00', signature: '00' },
    });
  const reasonFault = 'a look of it has a reason that its result cannot have';
  for (const reason of ['endpoint_taken', 'no_route', 'vantages_tied', 'constructor', '', null])
    expect(faultOf({ result: 'fail', reason })).toBe(reasonFault);
  expect(faultOf({ result: 'void', reason: 'unreachable' })).toBe(reasonFault);
  expect(faultOf({ result: 'pass', reason: 'closed' })).toBe(reasonFault);
  for (const reason of ['unreachable', 'wrong_block'])
    expect(faultOf({ result: 'fail', reason })).toBe('it has another hash');
  expect(faultOf({ result: 'void', reason: 'no_route' })).toBe('it has another hash');
});
