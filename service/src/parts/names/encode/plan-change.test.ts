import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { parseName } from '@coinfront/protocol/names/name-syntax.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, test } from 'vitest';
import { completePlan, judgePlan } from './name-plan.ts';
import { mostRenewedPeriods, planRenew } from './plan-change.ts';

const profile = getShippedProfile('regtest');

test('a renewal late in a long grace can add as many periods as the horizon leaves, and no block more', () => {
  const rules = { ...profile.names!, periodBlocks: 20, maxPeriods: 3, graceBlocks: 45 };
  const context = { rules, genesisPrefix: genesisPrefix(profile) };
  const name = getValue(parseName('harbour.coin', rules));
  const owner = Uint8Array.of(0x51);
  const record = { name: name.name, owner, registeredHeight: 100, expiry: 1000 };
  const most = mostRenewedPeriods(rules);
  expect(most).toBe(5);
  const verdictOf = (periods: number, height: number) => {
    const parts = planRenew({ name, sender: undefined, record, height, periods }, rules);
    const plan = completePlan(parts, rules, profile.dustLimit);
    return {
      earliest: plan.earliest,
      ...judgePlan(plan, height, { name: record, commit: undefined }, context),
    };
  };
  const lastOfGrace = 1044;
  expect(verdictOf(5, lastOfGrace)).toEqual({ earliest: lastOfGrace, valid: true, reason: undefined });
  expect(verdictOf(5, 1039)).toMatchObject({ earliest: 1040, valid: false, reason: 'periods_too_many' });
  for (let height = 1; height <= lastOfGrace; height++) {
    expect(verdictOf(6, height)).toMatchObject({ earliest: undefined, valid: false });
  }
});

test('where the grace is shorter than a period, a renewal adds no more than a register pays for', () => {
  expect(mostRenewedPeriods({ ...profile.names!, periodBlocks: 20, maxPeriods: 3, graceBlocks: 20 })).toBe(3);
});
