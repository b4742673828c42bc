import { describe, expect, test } from 'vitest';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { findEndpointFault, parseEndpoint } from './endpoint-rules.ts';

const onion = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';

describe('endpoints', () => {
  test.each([
    ['203.0.113.7:29666', '203.0.113.7:29666', '203.0.113.0/24'],
    ['[2001:DB8:1:2::7]:1', '[2001:db8:1:2::7]:1', '2001:db8:1::/48'],
    ['[::ffff:8.8.8.8]:29666', '8.8.8.8:29666', '8.8.8.0/24'],
    [`${onion.toUpperCase()}:29666`, `${onion}:29666`, 'onion'],
  ])('%s is %s in %s', (given, text, network) => {
    expect(parseEndpoint(given)).toMatchObject({ ok: true, value: { text, network } });
  });

  test('a host name has no network before it was asked for', () => {
    expect(parseEndpoint('Node-1.Example:29666')).toEqual({
      ok: true,
      value: { kind: 'name', host: 'node-1.example', port: 29_666, text: 'node-1.example:29666' },
    });
    expect(parseEndpoint(`${'a'.repeat(63)}.example:1`).ok).toBe(true);
  });

  test('an onion address with a wrong checksum is refused with the reason', () => {
    expect(parseEndpoint(`${onion.replace(/^p/, 'q')}:29666`)).toMatchObject({
      reason: expect.stringMatching(/checksum/),
    });
    expect(parseEndpoint(`expyuzz4wqqyqhjn.onion:29666`)).toMatchObject({
      reason: expect.stringMatching(/56 letters/),
    });
  });

  test.each([
    '',
    'localhost:29666',
    'node.example.:29666',
    '.example:29666',
    'node..example:29666',
    '-node.example:29666',
    'node-.example:29666',
    'no_de.example:29666',
    'nöde.example:29666',
    'node.0x7f:29666',
    'node.127:29666',
    `${'a'.repeat(64)}.example:1`,
    `${'a.'.repeat(126)}example:1`,
    'http://node.example:29666',
    'user@node.example:29666',
    'node.example:29666/path',
    `sub.${onion}:29666`,
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
    const rules = { allow: createAllowList([]), ports: [29_666], socks: undefined };
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
    expect(fault(`${onion}:29666`)).toMatch(/COINFRONT_REGISTRY_SOCKS/);
    expect(fault(`${onion}:29666`, { socks: { host: '127.0.0.1', port: 9_050 } })).toBeUndefined();
    expect(fault('node.example:29666')).toBeUndefined();
    expect(fault('127.0.0.1:29666', { allow: createAllowList(['loopback']) })).toBeUndefined();
  });
});
