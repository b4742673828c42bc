import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { bitcoin } from '@coinfront/protocol/testing/profiles.ts';
import { buildSignedMessageVectors } from '@coinfront/protocol/testing/vectors/signed-message-vectors.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const SEPARATOR = '\n---\n';
const { vectors } = buildSignedMessageVectors();

/** Address, message and signature, with a line of hyphens between. */
export const signedMessageTarget: FuzzTarget = {
  name: 'signed-message',
  reads: 'signed messages: BIP-137, BIP-322 simple and full',
  form: 'text',
  replayed: 500,
  maxBytes: 3_000,
  seeds: vectors
    .filter(({ message_times, signature }) => message_times === undefined && signature.length < 1_500)
    .map(({ address, message, signature }) => utf8([address, message, signature].join(SEPARATOR))),
  words: ['smp', 'ful', 'pof', SEPARATOR, '=', 'AA'],
  check(input) {
    const [address = '', message = '', signature = ''] = toText(input).split(SEPARATOR);
    const verdict = verifySignedMessage(address, message, signature, bitcoin);
    demand(typeof verdict.ok === 'boolean', 'there is a verdict');
    if (verdict.ok)
      demand(
        !verifySignedMessage(address, `${message}.`, signature, bitcoin).ok,
        'no other message is signed',
      );
  },
  growing: {
    message: (bytes) => of('m'.repeat(bytes), 'AA'),
    signature: (bytes) => of('m', Buffer.alloc(bytes).toString('base64')),
    'witness items': (bytes) => of('m', Buffer.alloc(bytes, 0).fill(0xfd, 0, 1).toString('base64')),
    separators: (bytes) => utf8(SEPARATOR.repeat(bytes / SEPARATOR.length)),
  },
};

function of(message: string, signature: string): Uint8Array {
  return utf8(['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', message, signature].join(SEPARATOR));
}
