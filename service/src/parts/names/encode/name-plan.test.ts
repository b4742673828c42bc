import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, test } from 'vitest';
import { completePlan, judgePlan } from './name-plan.ts';
import { planCommit } from './plan-commit.ts';

const profile = getShippedProfile('regtest');

test('a plan is valid in no block below the activation, and at it is judged by the rules', () => {
  const rules = { ...profile.names!, activationHeight: 100 };
  const context = { rules, genesisPrefix: genesisPrefix(profile) };
  const parts = planCommit(
    {
      commitment: new Uint8Array(32).fill(7),
      name: undefined,
      salt: undefined,
      sender: undefined,
      record: undefined,
      commit: undefined,
      height: 99,
    },
    rules,
  );
  const plan = completePlan(parts, rules, profile.dustLimit);
  expect([plan.earliest, plan.warnings]).toEqual([100, ['registry_inactive']]);
  const state = { name: undefined, commit: undefined };
  expect(judgePlan(plan, 99, state, context)).toEqual({ valid: false, reason: undefined });
  expect(judgePlan(plan, 100, state, context)).toEqual({ valid: true, reason: undefined });
});
