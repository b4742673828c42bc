import { litecoin, regtest } from '@coinfront/protocol/testing/profiles.ts';
import { buildUrl } from '@coinfront/sdk/client/build-url.ts';
import { mostSearched, readSearchText } from '../../explorer/src/search/read-search-text.ts';
import { readHeight, readSearch } from '../../service/src/parts/chain/search-text.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const profiles = [litecoin, regtest];
const address = 'ltc1qhzjptwpym9afcdjhs7jcz6fd0jma0l0rc0e5yr';
const search = { method: 'GET', path: '/api/v1/search' } as const;

/** What people paste into the one box for everything: by the page, and by the service. */
export const searchTextsTarget: FuzzTarget = {
  name: 'search-texts',
  reads: 'what is pasted into the search: identifiers, links, heights, outpoints',
  form: 'text',
  maxBytes: 1_200,
  seeds: [
    `litecoin:${address}?amount=0.5&label=a%20b`,
    `https://coin.example/address/${address}?page=2`,
    'https://coin.example/name/alice%2Ecoin#top',
    'https://coin.example/tx/%',
    `${'ab'.repeat(32)}:7`,
    '812,345',
    '#812,345',
    '812\u202f345',
    '1.812.345',
    'VP-000000000000',
    `${'a'.repeat(199)}🙂`,
  ].map(utf8),
  words: ['https://', '/tx/', '/name/', '/pay/', '%', '%2F', '?amount=', ':', ',', '\u00a0', '🙂', '000'],
  check(input) {
    // Half a character comes from what people paste, too, and bytes cannot say it.
    for (const text of [toText(input), Buffer.from(input).toString('utf16le')]) {
      const asked = readSearchText(text);
      demand(asked.length <= mostSearched, 'what is asked for is short');
      demand(
        new URL(buildUrl('https://coin.example', { ...search, params: { q: asked } })).searchParams.get(
          'q',
        ) === asked,
        'what is asked for arrives',
      );
      for (const profile of profiles) {
        const found = readSearch(text, profile);
        demand(readSearch(found, profile) === found, 'what was found in a text is looked for as it is');
        const height = readHeight(found);
        demand(height === undefined || String(height) === found, 'a height is its digits');
      }
    }
  },
  growing: {
    digits: (bytes) => utf8('1'.repeat(bytes)),
    'groups of digits': (bytes) => utf8(`1${',000'.repeat(bytes / 4)}`),
    spaces: (bytes) => utf8(`1${' '.repeat(bytes)}1`),
    'a scheme': (bytes) => utf8('a+'.repeat(bytes / 2)),
    'a host': (bytes) => utf8(`https://${'a'.repeat(bytes)}`),
    'a link': (bytes) => utf8(`litecoin:${address}?${'a=1&'.repeat(bytes / 4)}`),
  },
};
