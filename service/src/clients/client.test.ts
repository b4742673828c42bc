import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseClient } from './client.ts';

const names = (address: string) => parseClient(address).networks.map(({ name }) => name);

describe('an address is counted as', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
    ['64:ff9b::203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[fe80::1%eth0]:443', 'fe80:0:0:0::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    // What looks like IPv4 inside of it and stands for none.
    ['::203.0.113.9', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['203.0.113.9:', 'unknown'],
    ['203.0.113.999', 'unknown'],
    ['0x7f.1', 'unknown'],
    ['010.0.0.1', 'unknown'],
    ['2001:db8::9:443:', 'unknown'],
    ['[203.0.113.9', 'unknown'],
    [`${'1'.repeat(200)}.0.0.1`, 'unknown'],
  ])('%j: %s', (address, name) => {
    expect(names(address)[0]).toBe(name);
  });
});

test('an IPv6 client is a /64, in a /56 with 4 times its share and a /48 with 16 times', () => {
  expect(parseClient('2001:db8:1:a2b3::9')).toEqual({
    family: 'ipv6',
    networks: [
      { name: '2001:db8:1:a2b3::/64', share: 1 },
      { name: '2001:db8:1:a200::/56', share: 4 },
      { name: '2001:db8:1::/48', share: 16 },
    ],
  });
});

const group = fc.integer({ min: 0, max: 0xffff });
/** Notations of one IPv6 address that mean the same. */
const ipv6 = fc.tuple(fc.array(group, { minLength: 8, maxLength: 8 }), fc.boolean(), fc.boolean(), fc.nat(7));

test('any notation of an IPv6 address is the same client, and only its first 64 bits count', () => {
  fc.assert(
    fc.property(ipv6, fc.array(group, { minLength: 4, maxLength: 4 }), (given, host) => {
      const [groups, isUpper, isPadded, gapAt] = given;
      fc.pre(!(groups.slice(0, 5).every((each) => each === 0) || groups[0] === 0x64));
      const write = (all: readonly number[]) =>
        all.map((each) => each.toString(16).padStart(isPadded ? 4 : 1, '0')).join(':');
      // The longest run of zeros from a place on may be left out.
      const zeros = groups.slice(gapAt).findIndex((each) => each !== 0);
      const gapEnd = zeros === -1 ? 8 : gapAt + zeros;
      const short =
        gapEnd > gapAt ? `${write(groups.slice(0, gapAt))}::${write(groups.slice(gapEnd))}` : write(groups);
      const text = isUpper ? short.toUpperCase() : short;
      const [a, b, c, d] = groups as [number, number, number, number];
      const hex = (each: number) => each.toString(16);
      const expected = [
        `${hex(a)}:${hex(b)}:${hex(c)}:${hex(d)}::/64`,
        `${hex(a)}:${hex(b)}:${hex(c)}:${hex(d & 0xff00)}::/56`,
        `${hex(a)}:${hex(b)}:${hex(c)}::/48`,
      ];
      const neighbour = write([...groups.slice(0, 4), ...host]);
      for (const form of [text, `[${text}]`, `[${text}]:8080`, `${text}%1`, neighbour])
        expect(names(form)).toEqual(expected);
    }),
  );
});

test('any notation of an IPv4 address is the same client', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), fc.nat(65_535), (octets, port) => {
      const text = octets.join('.');
      const [a, b, c, d] = octets;
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      for (const form of [
        text,
        `${text}:${port}`,
        `::ffff:${text}`,
        `::ffff:${hex}`,
        `[::FFFF:${hex}]:${port}`,
      ])
        expect(names(form)).toEqual([text]);
    }),
  );
});

test('whatever else is sent is one client of no family, and never an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { family, networks } = parseClient(text);
      if (family === 'unknown') expect(networks).toEqual([{ name: 'unknown', share: 1 }]);
      else expect(text).toMatch(/[0-9:]/);
    }),
  );
});
