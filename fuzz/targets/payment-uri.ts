import { buildPaymentUri, parsePaymentUri } from '@coinfront/protocol/payment-uri.ts';
import { bitcoin } from '@coinfront/protocol/testing/profiles.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** BIP-21. */
export const paymentUriTarget: FuzzTarget = {
  name: 'payment-uri',
  reads: 'payment URIs',
  form: 'text',
  maxBytes: 5_000,
  seeds: [
    `bitcoin:${address}`,
    `BITCOIN:${address}?amount=0.5&label=A%20shop&message=Order%207&reference=VP-0000`,
    `bitcoin:${address}?amount=.5&x=1`,
    `bitcoin:${address}?req-x=1`,
    `bitcoin:${address}?label=%F0%9F%99%82&label=2`,
  ].map(utf8),
  words: [
    'bitcoin:',
    address,
    'amount=',
    'label=',
    'message=',
    'reference=',
    'req-',
    '&',
    '?',
    '%20',
    '%F0',
    '%',
    '+',
  ],
  check(input) {
    const parsed = parsePaymentUri(toText(input), bitcoin);
    if (!parsed.ok) return;
    const { script, ...request } = parsed.value;
    const written = buildPaymentUri(request, bitcoin);
    // Percent-encoding makes it longer, and there is a longest.
    if (!written.ok) return demand(/over 4,?096/.test(written.reason), 'what was read can be written');
    const again = parsePaymentUri(written.value, bitcoin);
    demand(again.ok, 'what was written can be read');
    const { script: same, ...other } = again.value;
    demand(
      Buffer.from(same).equals(script) &&
        Object.entries(request).every(([key, value]) => other[key as 'label'] === value),
      'both say the same',
    );
  },
  growing: {
    parameters: (bytes) => utf8(`bitcoin:${address}?${'a&'.repeat(bytes / 2)}`),
    'a label': (bytes) => utf8(`bitcoin:${address}?label=${'%20'.repeat(bytes / 3)}`),
    'no parameter': (bytes) => utf8(`bitcoin:${address}?${'a'.repeat(bytes)}"`),
    'a scheme': (bytes) => utf8(`${'b'.repeat(bytes)}:`),
  },
};
