import { describe, expect, test } from 'vitest';
import { checkEmbedOrigin, checkReturnUrl } from './browser-address-rules.ts';

const isOpened = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host);
const nothingOpened = () => false;

describe('a return address', () => {
  test.each([
    ['https://shop.example/orders/1043', 'https://shop.example/orders/1043'],
    ['https://SHOP.example:443', 'https://shop.example/'],
    ['https://shop.example/?order=a%20b+c#/orders', 'https://shop.example/?order=a%20b+c#/orders'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://10.0.0.5/intranet', 'https://10.0.0.5/intranet'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
    ['http://localhost:8090/orders', 'http://localhost:8090/orders'],
    ['http://127.0.0.1:8090/orders', 'http://127.0.0.1:8090/orders'],
    ['http://[::1]:8090/', 'http://[::1]:8090/'],
    [`https://shop.example/${'a'.repeat(1_979)}`, `https://shop.example/${'a'.repeat(1_979)}`],
    [
      'https://shop.example/"><script>alert(1)</script>',
      'https://shop.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    ],
  ])('%s is taken', (given, normalised) => {
    expect(checkReturnUrl(given, isOpened)).toEqual({ ok: true, value: normalised });
  });

  test.each([
    ['/orders/1043', /is not an absolute https URL/],
    ['shop.example', /is not an absolute/],
    ['javascript:alert(1)//https://shop.example', /is not an absolute/],
    ['data:text/html,<script>alert(1)</script>', /is not an absolute/],
    [' https://shop.example/', /is not an absolute/],
    ['https://shop.example/\n', /is not an absolute/],
    ['https:///shop.example', /is not an absolute/],
    ['https:\\\\shop.example', /is not an absolute/],
    ['https://user@shop.example/', /user or password/],
    ['https://shop.example@evil.example/', /user or password/],
    ['https://shop.example:0/', /port 0/],
    ['http://shop.example/', /is not encrypted/],
    ["https://shop.example;script-src'self'/", /is not an absolute/],
    ['https://shop.example/\ud800', /is not an absolute/],
    [`https://shop.example/${'ü'.repeat(400)}`, /longer than 2000 characters when it is percent-encoded/],
    [`https://shop.example/${'a'.repeat(1_980)}`, /longer than 2000/],
    ['https://shop.example/?status=new', /has the parameter "status"/],
    ['https://shop.example/?a=1&signature=', /has the parameter "signature"/],
    ['https://shop.example/?%70ayment_id=1', /has the parameter "payment_id"/],
  ])('%s is refused', (given, reason) => {
    expect(checkReturnUrl(given, isOpened)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  test('plain http is for hosts that the operator has opened', () => {
    expect(checkReturnUrl('http://127.0.0.1/', nothingOpened).ok).toBe(false);
  });
});

describe('an origin that may embed the page', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://SHOP.example/', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('%s is taken', (given, normalised) => {
    expect(checkEmbedOrigin(given, isOpened)).toEqual({ ok: true, value: normalised });
  });

  test.each([
    '*',
    "'self'",
    'https://*.shop.example',
    'https:',
    'https://shop.example/shop',
    'https://shop.example?a',
    'https://shop.example#a',
    'https://shop.example https://evil.example',
    'https://shop.example;script-src *',
    "https://shop.example;script-src'unsafe-inline'",
    'https://shop.example,evil.example',
    'https://user:password@shop.example',
    'https://[::1]',
    'http://shop.example',
    'data:text/html,x',
    'null',
  ])('%s is refused', (given) => {
    expect(checkEmbedOrigin(given, isOpened).ok).toBe(false);
  });
});
