import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from './bytes.ts';
import { createFields, findPayload } from './carrier.ts';
import { hashChain, hashEvents, hashState, int } from './encoding.ts';
import { findRulesId, readCoin, writeRulesText } from './profile.ts';
import { checkSender } from './sender.ts';
import { findReason, readProfile, readVectors } from './testing/vectors.ts';
import { parseTransaction } from './transaction.ts';

type CarrierVector = { readonly about: string; readonly script: string; readonly payload: string | null };
type SenderVector = {
  readonly about: string;
  readonly raw: string;
  readonly prevout_script: string;
  readonly reason: string | null;
};

describe('carriers', () => {
  const { scripts, integers } = readVectors('carrier');

  test.each<CarrierVector>(scripts)('$about', ({ script, payload }) => {
    const found = findPayload(fromHex(script));
    expect(found ? toHex(found) : null).toBe(payload);
  });

  test('integers are read and written in one form only', () => {
    for (const { value, bytes } of integers.valid) {
      expect(createFields(fromHex(bytes), 0).integer()).toBe(BigInt(value));
      expect(toHex(int(BigInt(value)))).toBe(bytes);
    }
    for (const { bytes, fault } of integers.invalid)
      expect([bytes, findReason(() => createFields(fromHex(bytes), 0).integer())]).toEqual([
        bytes,
        expect.stringContaining(fault),
      ]);
  });
});

test.each<SenderVector>(readVectors('sender').transactions)(
  'the sender of $about',
  ({ raw, prevout_script, reason }) => {
    const { inputs } = parseTransaction(fromHex(raw));
    expect(findReason(() => checkSender(inputs[0]!, fromHex(prevout_script))) ?? null).toBe(reason);
  },
);

describe('the hash chain', () => {
  const { events, chain, states, rules } = readVectors('hash-chain');

  test('hashes events, blocks and rows', () => {
    for (const each of events)
      expect(toHex(hashEvents(each.events.map((event: string) => fromHex(event))))).toBe(each.events_hash);
    let hash: Uint8Array = new Uint8Array(32);
    for (const each of chain) {
      hash = hashChain(hash, fromHex(each.block_hash), fromHex(each.events_hash));
      expect(toHex(hash)).toBe(each.chain_hash);
    }
    for (const { rows, state_hash } of states) {
      const read = rows.map(({ kind, key, value }: { kind: number; key: string; value: string }) => ({
        ...{ kind, key: fromHex(key), value: fromHex(value) },
      }));
      expect(toHex(hashState(read))).toBe(state_hash);
    }
  });

  test('names the rules of a profile', () => {
    const coin = readCoin(readProfile('regtest'));
    for (const { protocol, text, rules_id } of rules) {
      expect(coin.rulesIds[protocol as 'names']).toBe(rules_id);
      const parsed = JSON.parse(text);
      expect(writeRulesText(parsed.genesis_hash, protocol, parsed.rules)).toBe(text);
      expect(findRulesId(parsed.genesis_hash, protocol, parsed.rules)).toBe(rules_id);
    }
  });
});
