import { describe, expect, test } from 'vitest';
import { bytesToHex } from './bytes.ts';
import { findPlaceholders, parseProfile } from './profile.ts';
import { getValue } from './result.ts';
import { describeProtocolRules, findRulesId } from './rules-id.ts';
import {
  findShippedProfileJson,
  getShippedProfile,
  parseShippedProfile,
  shippedProfileNames,
} from './shipped-profiles.ts';

type Json = Record<string, unknown>;

/** The regtest profile's JSON with some values replaced, each by its path (`names.tlds`); undefined takes one away. */
function changed(values: Record<string, unknown>): unknown {
  const json = structuredClone(findShippedProfileJson('regtest')) as Json;
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    const owner = keys.reduce<Json>((part, key) => part[key] as Json, json);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return json;
}

const priceRow = (fromHeight: number, maxLength = 32) => ({
  from_height: fromHeight,
  by_length: [{ max_length: maxLength, per_period: '1' }],
});

describe('shipped profiles', () => {
  test.each(shippedProfileNames.filter((name) => name !== 'coin'))('%s is whole', (name) => {
    const profile = getShippedProfile(name);
    expect(profile.id).toBe(name);
    expect(bytesToHex(profile.proofs.marker)).toBe('56504631');
  });

  test("the mission's coin says what its operator must fill in, and has the specification's ports", () => {
    const json = findShippedProfileJson('coin') as Json;
    const placeholders = findPlaceholders(json);
    expect(placeholders).toEqual(
      expect.arrayContaining(['name', 'genesis_hash', 'names.tlds.0', 'treasury.address']),
    );
    expect(json).toMatchObject({
      p2p_port: 29666,
      rpc_port: 29667,
      decimals: 8,
      pool: { stratum_port: 3933 },
    });
    const parsed = parseShippedProfile('coin');
    expect(parsed.ok).toBe(false);
    for (const path of placeholders) expect(parsed).toMatchObject({ reason: expect.stringContaining(path) });
  });

  test('filled in, it is whole: its form is the one that the others have', () => {
    const coin = structuredClone(findShippedProfileJson('coin')) as Json;
    const regtest = findShippedProfileJson('regtest') as Json;
    const fill = (value: unknown, from: unknown): unknown => {
      if (value === 'FILL_ME') return from;
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, part]) => [key, fill(part, (from as Json)[key])]);
      return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
    };
    expect(parseProfile(fill(coin, regtest))).toMatchObject({
      ok: true,
      value: { id: 'coin', rpcPort: 29667 },
    });
  });

  test('an unknown name is refused, the names of object members too', () => {
    for (const name of ['', 'nocoin', 'toString', '__proto__']) {
      expect(parseShippedProfile(name)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('regtest'),
      });
    }
  });
});

describe('parseProfile', () => {
  test('reads amounts into base units and hex into bytes', () => {
    const { names, tokens, treasury, pool } = getShippedProfile('regtest');
    expect(names?.prices[0]?.byLength[0]).toEqual({ maxLength: 3, perPeriod: 500_000_000n });
    expect(tokens?.createFees).toEqual([{ fromHeight: 0, fee: 100_000_000n }]);
    expect(treasury?.script).toHaveLength(34);
    expect(pool).toMatchObject({ minerPercent: 99, operatorPercent: 1, stratumPort: 3933 });
  });

  test('a profile without heights of later operations has rules without them, with the id of before', () => {
    const before = getValue(
      parseProfile(
        changed({
          'names.reverse_activation_height': undefined,
          'names.records_activation_height': undefined,
        }),
      ),
    );
    expect(Object.keys(before.names!).filter((key) => /reverse|records/.test(key))).toEqual([]);
    expect(describeProtocolRules('names', before)).not.toMatch(/reverse|records/);
    expect(findRulesId('names', before)).toBe(
      'ff6f79fa9eaddd106fdf61e4e7f5d969995dd0454fd34086dcdf14bd20b6b492',
    );
  });

  test.each([
    ['a missing field', changed({ ticker: undefined }), 'ticker'],
    ['an unknown field', changed({ tikcer: 'X' }), '"tikcer"'],
    ['a wrong type', changed({ decimals: '8' }), '"decimals"'],
    ['a malformed genesis hash', changed({ genesis_hash: 'ff' }), '"genesis_hash"'],
    ['an amount with an exponent', changed({ 'subsidy.initial': '5e1' }), '5e1'],
    ['too many decimals', changed({ decimals: 2 }), 'the coin has 2'],
    ['one version for both kinds', changed({ p2sh_versions: [58, 111] }), 'share a version'],
    ['a foreign treasury', changed({ 'treasury.address': 'bc1qxyz' }), 'treasury.address'],
    [
      'a foreign address of its wallet',
      changed({ 'treasury.other_addresses': ['bc1qxyz'] }),
      'treasury.other_addresses.0',
    ],
    ['a split that is not whole', changed({ 'pool.miner_percent': 98 }), 'must make 100'],
    ['one marker for two protocols', changed({ 'tokens.marker': '564e5331' }), 'share a marker'],
    ['prices that begin late', changed({ 'names.prices': [priceRow(5)] }), 'begins after'],
    ['prices that miss lengths', changed({ 'names.prices': [priceRow(0, 31)] }), 'end at 32'],
    ['prices out of order', changed({ 'names.prices': [priceRow(0), priceRow(0)] }), 'must rise'],
    [
      'commitments that never mature',
      changed({ 'names.commit_maturity_blocks': 2000 }),
      'before they mature',
    ],
    [
      'reverse records before there are names',
      changed({ 'names.activation_height': 5, 'names.reverse_activation_height': 4 }),
      'reverse_activation_height is below',
    ],
    [
      'text records before there are names',
      changed({ 'names.activation_height': 5, 'names.records_activation_height': 4 }),
      'records_activation_height is below',
    ],
    [
      'text records beside endings that leave no room for a hash',
      changed({ 'names.tlds': ['elevenchars'] }),
      'at most 10',
    ],
    ['null', null, 'malformed'],
    ['a list', [], 'malformed'],
    ['a placeholder', changed({ 'names.tlds': ['FILL_ME'] }), 'names.tlds.0'],
  ])('refuses %s and says where', (_name, json, reason) => {
    expect(parseProfile(json)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});
