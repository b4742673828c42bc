import { createPrivateKey, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { fromHex, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { type Comparable, expectSame } from './difference.ts';
import { verifyEd25519 } from './ed25519.ts';
import { type RewardNode, shareRewards } from './rewards.ts';
import { findLogRoot, hashText, isSigned } from './signed-log.ts';
import { readVectors } from './testing/vectors.ts';
import { checkVotes } from './votes.ts';

const { claim, receipts, epoch, epoch_of_rules_4: epoch4, alerts, rewards } = readVectors('registry');
const key: string = claim.registry_key;

// biome-ignore lint/suspicious/noExplicitAny: vectors are of many shapes
const readRewardNode = (node: any): RewardNode => ({
  ...{ key: node.node_key, passed: node.passed, failed: node.failed, proven: node.proven },
  ...{ othersPassed: node.others_passed, othersFailed: node.others_failed },
  ...{ network: node.network, asn: node.asn, address: node.payout_address },
});

test('receipts and the summary of their epoch have the texts, hashes and signatures of the vectors', () => {
  for (const { receipt, text, hash, signature } of receipts) {
    expect(writeCanonicalJson(receipt)).toBe(text);
    expect(hashText(receipt)).toBe(hash);
    expect(isSigned('node registry receipt, version 1', hash, signature, key)).toBe(true);
    expect(isSigned('node registry epoch, version 1', hash, signature, key)).toBe(false);
  }
  for (const { summary, text, hash, signature } of [epoch, epoch4]) {
    expect(writeCanonicalJson(summary)).toBe(text);
    expect(hashText(summary)).toBe(hash);
    expect(isSigned('node registry epoch, version 1', hash, signature, key)).toBe(true);
    expect(findLogRoot(receipts.map((each: { hash: string }) => fromHex(each.hash)))).toBe(
      summary.merkle_root,
    );
  }
});

test('verdicts follow from the statements of vantage points, as the vectors say', () => {
  const { looks, voted_receipts: voted, epoch_of_vantages: epochOf } = readVectors('registry');
  const shown = new Map<string, unknown>(looks.map((each: { hash: string }) => [each.hash, each]));
  const same = (what: string, ours: Comparable, theirs: Comparable) => expectSame(9, what, ours, theirs);
  for (const { receipt, hash } of voted) {
    expect(hashText(receipt)).toBe(hash);
    checkVotes(receipt, shown, same);
    const other = receipt.verdict === 'pass' ? 'fail' : 'pass';
    expect(() => checkVotes({ ...receipt, verdict: other }, shown, same)).toThrow('verdict');
    expect(() => checkVotes(receipt, new Map(), same)).toThrow('whether there is the statement');
    const moved = { ...receipt, endpoint: '198.51.100.9:19444' };
    expect(() => checkVotes(moved, shown, same)).toThrow('vote of');
  }
  expect(voted.map(({ receipt }: { receipt: { verdict: string } }) => receipt.verdict)).toEqual([
    ...['pass', 'fail', 'fail'],
  ]);
  expect(hashText(epochOf.summary)).toBe(epochOf.hash);
});

test('a statement that is signed, but gives a reason that no look can have, is none', () => {
  const { looks, voted_receipts: voted } = readVectors('registry');
  const { receipt } = voted.at(-1);
  const own = receipt.votes.findIndex(({ vantage }: { vantage: string }) => vantage === receipt.registry_key);
  const given = looks.find(({ hash }: { hash: string }) => hash === receipt.votes[own].statements[0]);
  const secret = createPrivateKey({
    // PKCS 8 of the seed that docs/protocols/registry.md names.
    key: Buffer.from(`302e020100300506032b657004220420${'05'.repeat(32)}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  const check = (reason: string) => {
    const statement = {
      ...given.statement,
      looks: [...given.statement.looks, { ...given.statement.looks[0], endpoint: 'z', reason }],
    };
    const hash = hashText(statement);
    const text = Buffer.from(`node registry looks, version 1\n${hash}`);
    const votes = receipt.votes.with(own, { ...receipt.votes[own], statements: [hash] });
    const shown = new Map([[hash, { statement, hash, signature: sign(null, text, secret).toString('hex') }]]);
    checkVotes({ ...receipt, votes }, shown, (what, ours, theirs) => expectSame(9, what, ours, theirs));
  };
  expect(() => check('timeout')).not.toThrow();
  expect(() => check('no_route')).toThrow('only reasons of their results');
});

test('rewards are shared as the vectors say', () => {
  expect(rewards.map(({ rules }: { rules: number }) => rules)).toEqual([3, 4]);
  for (const { rules, slots, pool, nodes, shares } of rewards) {
    const ours = shareRewards(nodes.map(readRewardNode), { rules, slots, pool: BigInt(pool) });
    expect(
      ours.map((share) => ({
        node_key: share.key,
        eligibility: share.eligibility,
        weight: String(share.weight),
        amount: String(share.amount),
      })),
    ).toEqual(shares);
  }
});

test('the node signs where its alerts go, by the text of the vectors', () => {
  expect(alerts.map(({ url }: { url: string | null }) => url)).toEqual([
    'https://owner.example/alerts',
    null,
  ]);
  for (const { text, signature, node_key, url } of alerts) {
    expect(verifyEd25519(fromHex(node_key), Buffer.from(text), fromHex(signature))).toBe(true);
    expect(text).toContain(`\nAlerts to: ${url ?? 'nobody'}\n`);
  }
});

test('a signature is not taken from a key of small order, nor in an encoding that is not canonical', () => {
  const message = Buffer.from(claim.text);
  const signature = fromHex(claim.node_signature);
  expect(verifyEd25519(fromHex(claim.node_key), message, signature)).toBe(true);
  const identity = fromHex(`01${'00'.repeat(31)}`);
  expect(verifyEd25519(identity, message, Uint8Array.of(...identity, ...new Uint8Array(32)))).toBe(false);
  // S and S + L are the same number to whoever does not look.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${toHex(signature.slice(32).reverse())}`) + order;
  const other = fromHex(s.toString(16).padStart(64, '0')).reverse();
  expect(
    verifyEd25519(fromHex(claim.node_key), message, Uint8Array.of(...signature.slice(0, 32), ...other)),
  ).toBe(false);
});
