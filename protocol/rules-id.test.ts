import { expect, test } from 'vitest';
import type { CoinProfile } from './profile.ts';
import { describeProtocolRules, findRulesId } from './rules-id.ts';
import { getShippedProfile } from './shipped-profiles.ts';

const profile = getShippedProfile('regtest');
const idsOf = (of: CoinProfile) =>
  (['proofs', 'names', 'tokens'] as const).map((protocol) => findRulesId(protocol, of));

test('the rules of a protocol have one text, in the words and the units of the documents', () => {
  expect(describeProtocolRules('proofs', profile)).toBe(
    `{"genesis_hash":"${profile.genesisHash}","protocol":"proofs","rules":{"marker":"56504631"},"version":1}`,
  );
  // A coin without sweeps has the text, and so the id, of before there were any.
  const { sweepActivationHeight: _, ...before } = profile.tokens!;
  expect(describeProtocolRules('tokens', { ...profile, tokens: before })).toBe(
    `{"genesis_hash":"${profile.genesisHash}","protocol":"tokens","rules":{"activation_height":0,` +
      '"create_fees":[{"fee":"100000000","from_height":0}],' +
      `"fee_script":"00204ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260","marker":"56544b31"},"version":1}`,
  );
  expect(describeProtocolRules('tokens', profile)).toContain('"sweep_activation_height":0},"version":1}');
});

test('each rule that changes a state changes its id, and nothing else does', () => {
  const ids = idsOf(profile);
  expect(new Set(ids).size).toBe(3);
  const { names, tokens } = profile;
  expect(idsOf({ ...profile, name: 'Other', proofs: { ...profile.proofs, finalConfirmations: 9 } })).toEqual(
    ids,
  );
  expect(idsOf({ ...profile, tokens: { ...tokens!, activationHeight: 1 } })).toEqual([
    ids[0],
    ids[1],
    expect.not.stringMatching(ids[2]!),
  ]);
  for (const [rule, value] of Object.entries(names!)) {
    const changed =
      typeof value === 'number'
        ? value + 1
        : typeof value === 'bigint'
          ? value + 1n
          : value instanceof Uint8Array
            ? value.map((byte) => byte ^ 1)
            : value.slice(1);
    const other = idsOf({ ...profile, names: { ...names!, [rule]: changed } });
    expect(other[1], rule).not.toBe(ids[1]);
    expect([other[0], other[2]]).toEqual([ids[0], ids[2]]);
  }
  const elsewhere = idsOf({ ...profile, genesisHash: '00'.repeat(32) });
  for (const [i, id] of ids.entries()) expect(elsewhere[i]).not.toBe(id);
});

test('a protocol that a coin does not have has no id', () => {
  expect(findRulesId('names', { ...profile, names: undefined })).toBe(undefined);
});
