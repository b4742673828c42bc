import { describe, expect, test } from 'vitest';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { findEndpointFault, parseEndpoint } from './endpoint-rules.ts';

describe('endpoints', () => {
  test.each([
    ['203.0.113.7:29666', '203.0.113.7:29666', '203.0.113.0/24'],
    ['[2001:DB8:1:2::7]:1', '[2001:db8:1:2::7]:1', '2001:db8:1::/48'],
    ['[::ffff:8.8.8.8]:29666', '8.8.8.8:29666', '8.8.8.0/24'],
  ])('%s is %s in %s', (given, text, network) => {
    expect(parseEndpoint(given)).toMatchObject({ ok: true, value: { text, network } });
  });

  test.each([
    '',
    'node.example:29666',
    '1.2.3.4',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '1.2.3.4:029',
    '01.2.3.4:29666',
    '1.2.3:29666',
    '0x7f.1.1.1:29666',
    '[1.2.3.4]:29666x',
    '2001:db8::7:29666',
    '[2001:db8::7]',
    '1.2.3.4:29666 ',
    '[fe80::1%eth0]:29666',
    '2130706433:29666',
  ])('%j is none', (given) => {
    expect(parseEndpoint(given).ok).toBe(false);
  });

  test('only public addresses and the ports that are set are looked at', () => {
    const rules = { allow: createAllowList([]), ports: [29_666] };
    const fault = (text: string, more: object = {}) => {
      const parsed = parseEndpoint(text);
      if (!parsed.ok) throw new Error(text);
      return findEndpointFault(parsed.value, { ...rules, ...more });
    };
    expect(fault('8.8.8.8:29666')).toBeUndefined();
    expect(fault('[2600::1]:29666')).toBeUndefined();
    for (const inside of [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '100.64.0.1',
      '[::1]',
      '[fc00::1]',
      '[fe80::1]',
      '[::ffff:127.0.0.1]',
      '[2002:7f00:1::]',
      '[64:ff9b::7f00:1]',
    ])
      expect(fault(`${inside}:29666`), inside).toMatch(/not an address of the public internet/);
    expect(fault('8.8.8.8:22')).toMatch(/port 29666/);
    expect(fault('8.8.8.8:22', { ports: 'any' })).toMatch(/below 1024/);
    expect(fault('8.8.8.8:1024', { ports: 'any' })).toBeUndefined();
    expect(fault('127.0.0.1:29666', { allow: createAllowList(['loopback']) })).toBeUndefined();
  });
});
