import { expect, test } from 'vitest';
import { explainListen } from './explain-listen.ts';

const failure = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test.each([
  [
    { host: '127.0.0.1', port: 8080 },
    'EADDRINUSE',
    /127\.0\.0\.1:8080 already.*COINFRONT_LISTEN=127\.0\.0\.1:8081$/,
  ],
  [{ host: '::1', port: 65_535 }, 'EADDRINUSE', /\[::1\]:65535 already.*COINFRONT_LISTEN=\[::1\]:65534$/],
  [
    { host: '0.0.0.0', port: 80 },
    'EACCES',
    /may not listen on 0\.0\.0\.0:80.*COINFRONT_LISTEN=0\.0\.0\.0:8080$/,
  ],
  [{ host: '192.0.2.1', port: 8080 }, 'EADDRNOTAVAIL', /^COINFRONT_LISTEN: listen EADDRNOTAVAIL$/],
])('an address %o that gives %s is told with its setting', (listen, code, line) => {
  expect(explainListen('COINFRONT_LISTEN', listen, failure(code))).toMatch(line);
});
