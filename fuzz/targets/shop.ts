import { createHmac } from 'node:crypto';
import { verifyReturn } from '@coinfront/sdk/webhooks/verify-return.ts';
import { verifyWebhook, WebhookVerificationError } from '@coinfront/sdk/webhooks/verify-webhook.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const NOW_S = 1_700_000_000;
const now = (): number => NOW_S * 1_000;
const key = Buffer.alloc(24, 7);
const secret = `whsec_${key.toString('base64')}`;
const LINE = '\n---\n';

/**
 * What anybody sends to a shop: the headers of a webhook, a line of each, and behind a line of hyphens its body; or the address by
 * which a buyer comes back. Where the headers say `signed`, the body is signed by the secret: nothing but its form is left to doubt.
 */
export const shopTarget: FuzzTarget = {
  name: 'shop',
  reads: 'webhooks and returns of buyers, by the verifiers of the SDK',
  form: 'text',
  replayed: 1_000,
  maxBytes: 2_000,
  seeds: [
    `signed: 1${LINE}{"id":"evt_1","type":"payment.paid","sequence":1,"data":{}}`,
    `signed: 1${LINE}null`,
    `signed: 1${LINE}[{}]`,
    `webhook-id: evt_1\nwebhook-timestamp: ${NOW_S}\nwebhook-signature: v1,${'A'.repeat(43)}= v1a,x${LINE}{}`,
    `X-COIN-Pay-Signature: sha256=${'ab'.repeat(32)}${LINE}{}`,
    `https://shop.example/thanks?payment_id=VP-000000000000&status=paid&timestamp=${NOW_S}&signature=${signReturn('VP-000000000000', 'paid')}`,
    `/thanks?payment_id=a&status=b&timestamp=${NOW_S}&signature=${'ab'.repeat(32)}.${'cd'.repeat(32)}#x`,
  ].map(utf8),
  words: [
    'v1,',
    'sha256=',
    'webhook-id: ',
    'webhook-signature: ',
    'signed: 1',
    LINE,
    'signature=',
    '%',
    'null',
  ],
  async check(input) {
    const text = toText(input);
    const [head = '', ...rest] = text.split(LINE);
    const body = rest.join(LINE);
    const headers = readHeaders(head);
    const isSigned = headers.signed !== undefined;
    if (isSigned) Object.assign(headers, signed(body));
    for (const acceptWithoutTimestamp of [false, true]) {
      const event = await only(() => verifyWebhook(body, headers, secret, { now, acceptWithoutTimestamp }));
      if (event === undefined) continue;
      demand(isSigned, 'nothing is taken that is not signed');
      demand(typeof event.id === 'string' && typeof event.type === 'string', 'an event has its form');
    }
    const back = await only(() => verifyReturn(text, secret, { now }));
    if (back === undefined) return;
    const query = new URLSearchParams(text.slice(text.indexOf('?') + 1).split('#', 1)[0]);
    demand(
      query.get('signature')!.split('.').includes(signReturn(back.payment_id, back.status)),
      'what is taken was signed',
    );
  },
  growing: {
    signatures: (bytes) =>
      utf8(
        `webhook-id: a\nwebhook-timestamp: ${NOW_S}\nwebhook-signature: ${'v1,A '.repeat(bytes / 5)}${LINE}{}`,
      ),
    'a body': (bytes) => utf8(`signed: 1${LINE}{"id":"${'a'.repeat(bytes)}"}`),
    parameters: (bytes) => utf8(`/?${'signature=ab.'.repeat(bytes / 13)}`),
    'signatures of a return': (bytes) =>
      utf8(
        `/?payment_id=a&status=b&timestamp=${NOW_S}&signature=${`${'ab'.repeat(32)}.`.repeat(bytes / 65)}`,
      ),
  },
};

function readHeaders(head: string): Record<string, string> {
  return Object.fromEntries(
    head.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
}

function signed(body: string): Record<string, string> {
  const signature = createHmac('sha256', key).update(`evt_1.${NOW_S}.${body}`).digest('base64');
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(NOW_S),
    'webhook-signature': `v1,${signature}`,
  };
}

function signReturn(id: string, status: string): string {
  return createHmac('sha256', key).update(`${id}.${status}.${NOW_S}`).digest('hex');
}

async function only<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}
