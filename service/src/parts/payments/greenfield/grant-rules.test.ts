import { describe, expect, test } from 'vitest';
import { isOwnForm, readGrantRequest } from './grant-rules.ts';

const asked = ['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'];
const read = (given: Record<string, string | string[]>) => readGrantRequest({ permissions: asked, ...given });

describe('a request for a key', () => {
  test('is read with its name, permissions and target', () => {
    const result = read({
      applicationName: ' Shop\u202E\n42 ',
      permissions: [...asked, 'btcpay.store.canviewinvoices', 'btcpay.store.cancreatepullpayments'],
      redirect: 'https://shop.example/?btcpay-settings-callback',
    });
    expect(result).toMatchObject({
      ok: true,
      value: { applicationName: 'Shop 42', granted: asked, unknown: ['btcpay.store.cancreatepullpayments'] },
    });
    expect(result.ok && result.value.redirect?.href).toBe('https://shop.example/?btcpay-settings-callback');
  });

  test('needs a permission that there is', () => {
    expect(readGrantRequest({}).ok).toBe(false);
    expect(readGrantRequest({ permissions: 'btcpay.server.canmodifyserversettings' }).ok).toBe(false);
    expect(readGrantRequest({ permissions: 'constructor' }).ok).toBe(false);
    expect(readGrantRequest({ permissions: Array(41).fill(asked[0]) }).ok).toBe(false);
  });

  test('without a target has the key shown', () => {
    expect(read({})).toMatchObject({ ok: true, value: { redirect: undefined } });
  });

  test.each([
    'http://shop.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//shop.example/',
    'https:///shop.example',
    'https://user@shop.example/',
    'https://shop.example/a b',
    '/callback',
    'https://shop.example;script-src/',
    'https://shop.example,evil.example/',
    'https://*.example/',
    'https://a"b.example/',
    "https://'self'/",
    `https://shop.example/${'a'.repeat(2_000)}`,
  ])('is refused with the target %s', (redirect) => {
    expect(read({ redirect }).ok).toBe(false);
  });

  test.each([
    'http://localhost/cb',
    'http://127.0.0.1:8080/cb',
    'http://[::1]/cb',
    'https://xn--shp-una.example/',
  ])('may have the target %s', (redirect) => {
    expect(read({ redirect }).ok).toBe(true);
  });
});

test('a form counts only when it is of a page of this service', () => {
  const hosts = ['pay.example'];
  const own = (site?: string, origin?: string) => isOwnForm({ site, origin }, hosts);
  expect(own('same-origin', 'https://pay.example')).toBe(true);
  expect(own(undefined, 'https://pay.example')).toBe(true);
  expect(own('cross-site', 'https://pay.example')).toBe(false);
  expect(own('same-site')).toBe(false);
  expect(own('none')).toBe(false);
  expect(own(undefined, 'https://evil.example')).toBe(false);
  expect(own(undefined, 'null')).toBe(false);
  expect(own()).toBe(false);
});
