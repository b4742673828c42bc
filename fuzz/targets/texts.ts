import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, parseDisplayHash, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { parseName } from '@coinfront/protocol/names/name-syntax.ts';
import { findEndpointTokens } from '@coinfront/protocol/registry/endpoint-token.ts';
import { parseEd25519Key } from '@coinfront/protocol/registry/node-key.ts';
import { bitcoin, dogecoin, litecoin, regtest } from '@coinfront/protocol/testing/profiles.ts';
import { nameContext } from '@coinfront/protocol/testing/protocol-rules.ts';
import { parseNickname } from '@coinfront/protocol/treasury/nickname.ts';
import { parseAccountKey } from '../../service/src/wallets/account-key.ts';
import { readWalletScripts } from '../../service/src/wallets/wallet-scripts.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const profiles = [bitcoin, litecoin, dogecoin, regtest];

/** The short texts that people type. */
export const textsTarget: FuzzTarget = {
  name: 'texts',
  reads:
    'addresses, amounts, hex, hashes, names, nicknames, keys of nodes, extended public keys, descriptors',
  form: 'text',
  maxBytes: 512,
  seeds: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1SW50QGDZ25J',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'ltc1qhzjptwpym9afcdjhs7jcz6fd0jma0l0rc0e5yr',
    'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
    'rcrt1qhzjptwpym9afcdjhs7jcz6fd0jma0l0rc0e5yr',
    '0.50000000',
    '20999999.9769',
    '00ff',
    'ab'.repeat(32),
    // The first test vector of BIP-32.
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
    'wpkh([ffffffff/13h]xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8/<0;1>/*)',
    'raw(deadbeef)#89f8spxm',
    'alice.coin',
    'a-b-c.coin',
    'Satoshi Nakamoto',
    'Ёжик_7',
    '/Fake:1.0(coinfront:aaaaaaaaaaaaaaaaaaaaaaaa)/',
  ].map(utf8),
  words: [
    'wpkh(',
    'sh(',
    'wsh(',
    'tr(',
    'sortedmulti(',
    '<0;1>',
    '/*)',
    '#',
    'bc1',
    'ltc1',
    'rltc1',
    '.coin',
    '-',
    '0.',
    '1',
    'q',
    '\u0301',
    '\u200d',
    'İ',
    'ß',
    'Ω',
    '🙂',
  ],
  check(input) {
    const text = toText(input);
    for (const profile of profiles) {
      const address = decodeAddress(text, profile);
      if (!address.ok) continue;
      const written = encodeAddress(address.value.script, profile);
      demand(written !== undefined, 'what an address pays has an address');
      const again = decodeAddress(written, profile);
      demand(
        again.ok && Buffer.from(again.value.script).equals(address.value.script),
        'both lead to one script',
      );
    }
    for (const decimals of [0, 8, 18]) {
      const amount = parseAmount(text, decimals);
      if (!amount.ok) continue;
      const again = parseAmount(formatAmount(amount.value, decimals), decimals);
      demand(again.ok && again.value === amount.value, 'an amount is read as it is written');
    }
    const bytes = parseHex(text);
    if (bytes.ok) demand(bytesToHex(bytes.value) === text.toLowerCase(), 'hex is written as it was read');
    const hash = parseDisplayHash(text);
    if (hash.ok) demand(toDisplayHash(hash.value) === text.toLowerCase(), 'a hash is written as it was read');
    parseName(text, nameContext.rules);
    const nickname = parseNickname(text, ['admin']);
    if (nickname.ok) {
      const again = parseNickname(nickname.value.nickname, ['admin']);
      demand(
        again.ok && again.value.nickname === nickname.value.nickname,
        'a nickname that was taken is taken again as it is',
      );
    }
    parseEd25519Key(text);
    parseAccountKey(text, undefined, bitcoin);
    readWalletScripts(text, undefined, bitcoin);
    findEndpointTokens(text);
  },
  growing: {
    digits: (bytes) => utf8('1'.repeat(bytes)),
    letters: (bytes) => utf8('b'.repeat(bytes)),
    'combining marks': (bytes) => utf8('a\u0301'.repeat(Math.ceil(bytes / 3))),
    'marks in the wrong order': (bytes) =>
      utf8(`a${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`),
    spaces: (bytes) => utf8(` ${' \t'.repeat(bytes / 2)}x`),
    'an address of bech32': (bytes) => utf8(`bc1${'q'.repeat(bytes)}`),
    tokens: (bytes) => utf8('(coinfront:aaaa'.repeat(Math.ceil(bytes / 15))),
  },
};
