import { findPrivateKey, findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import { bitcoin } from '@coinfront/protocol/testing/profiles.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** The look that refuses keys: whatever is around one, and however it is cut, it is found. */
export const privateKeysTarget: FuzzTarget = {
  name: 'private-keys',
  reads: 'any text, for keys in it',
  form: 'text',
  maxBytes: 4_096,
  seeds: [
    '{"raw_tx":"0200"}',
    `a ${WIF} b`,
    MNEMONIC,
    MNEMONIC.split(' ').join('\n1. '),
    `${WIF.slice(0, 26)}\n${WIF.slice(26)}`,
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  ].map(utf8),
  words: [WIF, 'abandon', 'zoo', 'about', '\n', ' ', '","', '\uff41', '\ufb01'],
  check(input) {
    const text = toText(input);
    const found = findPrivateKey(text, bitcoin);
    findPrivateKeyInJson({ [text]: [text, { text }] }, bitcoin);
    if (found !== undefined) return;
    // Behind a gap, a key is a key, unless words before it make a longer row of words.
    demand(
      findPrivateKey(`${text}\u0000 - 5 -\u0000${WIF}\u0000`, bitcoin) !== undefined,
      'a key is found behind any text',
    );
    demand(findPrivateKey(`${WIF}\u0000${text}`, bitcoin) !== undefined, 'a key is found before any text');
    demand(
      findPrivateKeyInJson({ a: text, b: WIF }, bitcoin) !== undefined,
      'a key is found beside any text',
    );
  },
  growing: {
    'words of the list': (bytes) => utf8('abandon '.repeat(bytes / 8)),
    'cut words': (bytes) => utf8('aban abou '.repeat(bytes / 10)),
    'base58 pieces': (bytes) => utf8('zZ1K '.repeat(bytes / 5)),
    'base58 of a key': (bytes) => utf8(`K${'zZ1'.repeat(17)} `.repeat(bytes / 53)),
    'one token': (bytes) => utf8('zZ1K'.repeat(bytes / 4)),
    hex: (bytes) => utf8('0a'.repeat(bytes / 2)),
    spaces: (bytes) => utf8(' '.repeat(bytes)),
    'marks in the wrong order': (bytes) =>
      utf8(`\ufb01${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`),
    'foreign letters': (bytes) => utf8('\uff41\ufb01'.repeat(bytes / 6)),
  },
};
