import { bareAddress, parseClient } from '../../service/src/clients/client.ts';
import { AppError } from '../../service/src/errors.ts';
import {
  decodeCursor,
  decodeTextCursor,
  decodeTimedCursor,
  encodeCursor,
  encodeTextCursor,
  encodeTimedCursor,
} from '../../service/src/http/cursor.ts';
import { decodePercent, parseQuery } from '../../service/src/http/query-string.ts';
import { isPublicAddress, normaliseAddress } from '../../service/src/outbound/address-rules.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { checkOutboundUrl } from '../../service/src/outbound/check-url.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const allow = createAllowList([]);

/** Texts of requests: cursors, queries, URLs for webhooks, addresses of clients. */
export const requestTextsTarget: FuzzTarget = {
  name: 'request-texts',
  reads: 'cursors, query strings, URLs for webhooks, addresses of the internet',
  form: 'text',
  maxBytes: 2_500,
  seeds: [
    encodeCursor('k', 's', [1, 2, 3, 4]),
    encodeTimedCursor('k', 's', { atMs: 1_700_000_000_000, id: 'VP-000000000000' }),
    encodeTextCursor('k', 's', 'alice.coin'),
    'limit=5&cursor=abc&q=%F0%9F%99%82+x',
    'https://shop.example/hooks?a=1',
    'https://[64:ff9b::1.2.3.4]/',
    'http://127.0.0.1:8080/',
    '::ffff:10.0.0.1',
    '2001:db8::1',
    '1.2.3.4',
  ].map(utf8),
  words: ['https://', 'http://', '[', ']', '::', '%', '@', '#', '\\', '.', 'localhost', 'xn--', '0x7f', '。'],
  check(input) {
    const text = toText(input);
    only(() => {
      const numbers = decodeCursor('k', 's', text, 4);
      if (numbers) demand(encodeCursor('k', 's', numbers).length > 0, 'numbers make a cursor');
    });
    only(() => {
      const place = decodeTimedCursor('k', 's', text);
      if (place)
        demand(
          decodeTimedCursor('k', 's', encodeTimedCursor('k', 's', place))?.id === place.id,
          'a place is kept',
        );
    });
    only(() => {
      const key = decodeTextCursor('k', 's', text);
      if (key) demand(encodeTextCursor('k', 's', key) === text, 'a key has one cursor');
    });
    parseQuery(text);
    decodePercent(text);
    demand(
      parseClient(text).networks.every(({ name }) => name.length <= 64),
      'a client has short names',
    );
    bareAddress(text);
    const address = normaliseAddress(text);
    if (address !== undefined) demand(normaliseAddress(address) === address, 'an address has one text');
    isPublicAddress(text);
    const url = checkOutboundUrl(text, allow);
    if (!url.ok) return;
    demand(url.value.startsWith('https://'), 'what is accepted is encrypted');
    const again = checkOutboundUrl(url.value, allow);
    demand(again.ok && again.value === url.value, 'what was accepted is accepted again, as it is');
  },
  growing: {
    pairs: (bytes) => utf8('a=1&'.repeat(bytes / 4)),
    'pairs of one name': (bytes) => utf8('a&'.repeat(bytes / 2)),
    escapes: (bytes) => utf8('%20'.repeat(bytes / 3)),
    groups: (bytes) => utf8('1:'.repeat(bytes / 2)),
    colons: (bytes) => utf8(':'.repeat(bytes)),
    'a cursor': (bytes) => utf8('A'.repeat(bytes)),
    'a URL': (bytes) => utf8(`https://${'a.'.repeat(bytes / 2)}`),
    digits: (bytes) => utf8(`1.1.1.${'1'.repeat(bytes)}`),
  },
};

function only(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
