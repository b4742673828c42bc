import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './address-rules.ts';
import { createAllowList, isAllowEntry } from './allow-list.ts';
import { checkOutboundUrl } from './check-url.ts';

const nothing = createAllowList([]);
const reasonOf = (url: string, allow = nothing): string => {
  const result = checkOutboundUrl(url, allow);
  return result.ok ? '' : result.reason;
};

describe('public addresses', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    'localhost',
    '',
  ])('"%s" is none', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a URL that was given', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example:8443/a?b=c', 'https://shop.example:8443/a?b=c'],
    ['HTTPS://SHOP.example/A', 'https://shop.example/A'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('%s is accepted', (given, value) =>
    expect(checkOutboundUrl(given, nothing)).toEqual({ ok: true, value }),
  );

  test.each([
    ['', 'absolute https URL'],
    ['/hooks', 'absolute https URL'],
    ['shop.example/hooks', 'absolute https URL'],
    ['//shop.example/hooks', 'absolute https URL'],
    ['https:shop.example', 'absolute https URL'],
    ['https:\\\\shop.example', 'absolute https URL'],
    ['https://shop.example\\@inside/', 'absolute https URL'],
    [' https://shop.example', 'absolute https URL'],
    ['https://shop\n.example', 'absolute https URL'],
    ['https://shop.example/a b', 'absolute https URL'],
    ['ftp://shop.example/', 'absolute https URL'],
    ['file:///etc/passwd', 'absolute https URL'],
    ['javascript://x/%0aalert(1)', 'absolute https URL'],
    ['https://', 'absolute https URL'],
    ['https:///shop.example/', 'absolute https URL'],
    ['https:////shop.example/', 'absolute https URL'],
    ['https://user@shop.example/', 'user or password'],
    ['https://:secret@shop.example/', 'user or password'],
    ['https://shop.example/#a', 'fragment'],
    ['https://shop.example/#', 'fragment'],
    ['https://shop.example:0/', 'port 0'],
    ['https://shop.example./', 'ends with a dot'],
    [`https://shop.example/${'a'.repeat(2_000)}`, 'longer than'],
    [`https://shop.example/${'ü'.repeat(500)}`, 'percent-encoded'],
    ['http://shop.example/', 'not encrypted'],
    ['http://8.8.8.8/', 'not encrypted'],
    ['https://localhost/', 'names this machine'],
    ['https://a.LocalHost/', 'names this machine'],
  ])('%j is refused: %s', (given, reason) => expect(reasonOf(given)).toContain(reason));

  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '10.1',
    '192.168.257',
    '169.254.169.254',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
  ])('an address inside is refused however it is written: %s', (host) => {
    expect(reasonOf(`https://${host}/`)).toMatch(/public internet/);
    expect(reasonOf(`https://${host}:8443/`)).toMatch(/public internet/);
  });
});

describe('the allow-list', () => {
  const allow = createAllowList(['loopback', '10.1.0.0/16', 'fd00::/8', 'hooks.internal']);

  test.each([
    'http://127.0.0.1:3000/',
    'http://127.9.9.9/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'https://10.1.2.3/',
    'http://[::ffff:10.1.2.3]/',
    'http://[fd12::1]/',
    'http://hooks.internal/',
    'http://HOOKS.internal:8080/',
  ])('opens %s', (url) => expect(reasonOf(url, allow)).toBe(''));

  test.each(['http://10.2.0.1/', 'https://192.168.1.1/', 'https://[fe80::1]/'])('does not open %s', (url) =>
    expect(reasonOf(url, allow)).toContain('public internet'),
  );

  test('a name may be http only where it is named itself, wherever it leads', () => {
    for (const url of ['http://shop.example/', 'http://a.hooks.internal/', 'http://8.8.8.8/'])
      expect(reasonOf(url, allow)).toContain('not encrypted');
  });

  test.each(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8', 'loopback', 'hooks', 'hooks.internal'])(
    '%s can be an entry',
    (entry) => expect(isAllowEntry(entry)).toBe(true),
  );
  test.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '127.1',
    '0x7f.1',
    'a b',
    'http://a',
    'a/8',
    '*',
  ])('"%s" cannot', (entry) => expect(isAllowEntry(entry)).toBe(false));
});
