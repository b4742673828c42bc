import { expect, onTestFinished, test } from 'vitest';
import { flip, toHex } from './bytes.ts';
import { createClient } from './client.ts';
import { readCoin } from './profile.ts';
import { createRegistryChecker } from './registry.ts';
import {
  closeEpoch,
  makeRegistryKey,
  type Registry,
  serveRegistry,
  signCheckpoint,
} from './testing/registry-server.ts';
import { readProfile } from './testing/vectors.ts';

const coin = readCoin(readProfile('regtest'));
const network = toHex(flip(coin.genesisHash));

const NODE = 'ab'.repeat(32);

/** What a sound registry says of two slots with one node. */
function previewRewards() {
  return {
    ...{ rules: 4, slots: 2, as_table: null, pool: '0.00000010' },
    items: [
      {
        ...{ node_key: NODE, payout_address: 'a', network: 'n', asn: 64_500, proven_slots: 1 },
        ...{ slots: { passed: 2, failed: 0 }, others_at_endpoint: { passed: 0, failed: 0 } },
        ...{ eligibility: 'eligible', weight: '500000000000', amount: '0.00000010' },
      },
    ],
  };
}

/** A registry with two closed epochs, and who checks it. */
async function open() {
  const key = makeRegistryKey();
  const registry: Registry = {
    key,
    receipts: [],
    epochs: [],
    checkpoint: undefined,
    rewards: previewRewards(),
  };
  const close = (by = key) => closeEpoch(registry, network, by);
  close();
  close();
  const server = await serveRegistry(registry);
  onTestFinished(server.close);
  return { key, registry, close, checker: createRegistryChecker(createClient(server.url), coin) };
}

test('a log that grows is checked with each checkpoint, and says how many it has checked', async () => {
  const { checker, close } = await open();
  expect(await checker.check(9)).toEqual({ receipts: 4, epochs: 2, checkpoints: 1 });
  close();
  expect(await checker.check(9)).toEqual({ receipts: 6, epochs: 3, checkpoints: 2 });
});

test.each([
  ['weight', { weight: '500000000001' }],
  ['amount', { amount: '0.00000009' }],
  ['eligibility', { eligibility: 'not_judged' }],
])('rewards with another %s than the rules give are found', async (what, change) => {
  const { checker, registry } = await open();
  Object.assign(registry.rewards.items[0], change);
  await expect(checker.check(9)).rejects.toThrow(what);
});

test.each([
  ['rules', { rules: 3 }],
  ['slots', { slots: 3 }],
  ['table', { as_table: 'ab'.repeat(32) }],
])('rewards by other %s than the summary says are found', async (what, change) => {
  const { checker, registry } = await open();
  Object.assign(registry.rewards, change);
  await expect(checker.check(9)).rejects.toThrow(what);
});

test('a checkpoint with the lines of sixteen witnesses is read', async () => {
  const { checker, registry, key } = await open();
  registry.checkpoint = signCheckpoint(registry, 2, key, 16);
  expect(registry.checkpoint.length).toBeGreaterThan(3_000);
  expect(await checker.check(9)).toMatchObject({ checkpoints: 1 });
});

test('epochs without a checkpoint are found, at the first look and later', async () => {
  const { checker, registry } = await open();
  await checker.check(9);
  registry.checkpoint = null;
  await expect(checker.check(9)).rejects.toThrow('checkpoint');
  const other = await open();
  other.registry.checkpoint = null;
  await expect(other.checker.check(9)).rejects.toThrow('checkpoint');
});

test('a checkpoint that does not have the epochs that are told of is found', async () => {
  const { checker, registry, key, close } = await open();
  registry.checkpoint = signCheckpoint(registry, 1, key);
  await expect(checker.check(9)).rejects.toThrow('epochs of the registry');
  const other = await open();
  other.registry.checkpoint = signCheckpoint(other.registry, 2, other.key);
  await other.checker.check(9);
  other.close();
  await expect(other.checker.check(9)).rejects.toThrow('epochs of the registry');
  close();
});

test('a registry that hides its key is found: receipts without one, and a key that is gone', async () => {
  const { checker, registry } = await open();
  await checker.check(9);
  const { key } = registry;
  registry.key = undefined;
  await expect(checker.check(9)).rejects.toThrow('registry_key');
  registry.key = key;
  const other = await open();
  other.registry.key = undefined;
  await expect(other.checker.check(9)).rejects.toThrow('without a key');
  const empty = await open();
  Object.assign(empty.registry, { key: undefined, receipts: [], epochs: [] });
  expect(await empty.checker.check(9)).toEqual({ receipts: 0, epochs: 0, checkpoints: 0 });
});

test('another key is no difference, and its log has the epochs of the key before; to come back to that one is', async () => {
  const { checker, registry, key, close } = await open();
  await checker.check(9);
  const next = makeRegistryKey();
  registry.key = next;
  close(next);
  expect(await checker.check(9)).toEqual({ receipts: 6, epochs: 3, checkpoints: 2 });
  close(key);
  await expect(checker.check(9)).rejects.toThrow('key');
});

test('a receipt or an epoch that its key has not signed is found', async () => {
  const { checker, registry } = await open();
  registry.receipts[3].signature = registry.receipts[2].signature;
  await expect(checker.check(9)).rejects.toThrow('signature of receipt 3');
  const other = await open();
  other.registry.epochs[1].signature = other.registry.epochs[0].signature;
  await expect(other.checker.check(9)).rejects.toThrow('signature of epoch 1');
});
