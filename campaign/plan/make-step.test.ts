import { expect, test } from 'vitest';
import { type Abilities, faultTargets, listFaultKinds } from './faults.ts';
import { FULL_CHECK_EVERY, HORIZON_BLOCKS, makeStep } from './make-step.ts';
import { operationKinds } from './work.ts';

const everything: Abilities = { engine: 'postgres', disk: true, clock: true, without: new Set() };
const steps = Array.from({ length: 1_000 }, (_, i) => makeStep(7, i + 1, everything));

test('a seed gives the same steps again, each without those before it, and another seed others', () => {
  expect(makeStep(7, 500, everything)).toEqual(steps[499]);
  expect(makeStep(8, 500, everything)).not.toEqual(steps[499]);
  expect(new Set(steps.map(({ checkSeed }) => checkSeed)).size).toBeGreaterThan(990);
});

test('a thousand steps have every kind of fault and of work, and mostly several faults at once', () => {
  const faults = steps.flatMap((step) => step.faults);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(Object.keys(faultTargets)));
  expect(faults.length).toBeGreaterThan(1_800);
  const work = steps.flatMap((step) => step.work);
  const done = work.map((each) => (each.kind === 'broadcast' ? each.operation : each.kind));
  expect(new Set(done)).toEqual(
    new Set(['create', 'pay', 'pay-by-broadcast', 'cancel', 'contribute', 'mine', ...operationKinds]),
  );
});

test('no two faults of a step are done to the same thing', () => {
  for (const { faults } of steps) {
    const targets = faults.map(({ kind }) => faultTargets[kind]);
    expect(new Set(targets).size).toBe(targets.length);
    expect(faults.length).toBeGreaterThan(0);
  }
});

test('reorganisations stay within the horizon, but for those that are meant not to', () => {
  for (const { kind, depth } of steps.flatMap((step) => step.faults)) {
    if (kind === 'reorganised-too-deep') expect(depth).toBeGreaterThan(HORIZON_BLOCKS);
    else expect(depth).toBeLessThan(HORIZON_BLOCKS);
    expect(depth > 0).toBe(kind.startsWith('reorganised') || kind === 'double-spent');
  }
});

test('faults that the engine or the machine does not allow, or nobody wants, are left out', () => {
  const little: Abilities = {
    engine: 'sqlite',
    disk: false,
    clock: false,
    without: new Set(['receiver-refuses', 'receiver-link-reset']),
  };
  const targets = new Set(listFaultKinds(little).map(({ kind }) => faultTargets[kind]));
  expect([...targets].sort()).toEqual(['client-link', 'node', 'node-link', 'service']);
  expect(listFaultKinds(everything)).toHaveLength(Object.keys(faultTargets).length);
});

test('everything is compared after every 25th step', () => {
  const full = steps.filter(({ isChecked }) => isChecked === 'fully').map(({ number }) => number);
  expect(full).toEqual(
    Array.from({ length: 1_000 / FULL_CHECK_EVERY }, (_, i) => (i + 1) * FULL_CHECK_EVERY),
  );
});
