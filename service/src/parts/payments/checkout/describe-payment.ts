/** What a payer is told about a payment: a pure function of what everybody may see of it, and the clock. */

import type { PaymentJson, PaymentStatus } from '@coinfront/api/payments.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import { getValue } from '@coinfront/protocol/result.ts';

/** How a status looks: it waits for the payer, goes its way, is done, needs patience or is over. */
export type Tone = 'waiting' | 'moving' | 'done' | 'warning' | 'over';

/** Where a payment is on its usual way; undefined off it. */
export type Step = 'pay' | 'seen' | 'confirming' | 'paid';

/** What the page shows besides the payment's own fields. */
export type Description = {
  tone: Tone;
  headline: string;
  text: string;
  step: Step | undefined;
  /** Coins that are to be sent now; undefined when nothing is to be sent. */
  toPay: string | undefined;
  /** Unix milliseconds until which; undefined when nothing is to be sent. */
  deadlineMs: number | undefined;
  /** Confirmations that the whole amount has, and that it needs. */
  confirmations: { have: number; need: number } | undefined;
};

/** What the description needs of the coin. */
export type CoinWords = { ticker: string; decimals: number };

type Words = Pick<Description, 'tone' | 'headline' | 'text'>;
type Coins = (amount: string) => string;

/** Describes a payment in words for the one who pays. */
export function describePayment(payment: PaymentJson, coin: CoinWords, nowMs: number): Description {
  const isOpen = payment.status === 'open' || payment.status === 'underpaid';
  const endsAtMs = Date.parse(payment.expires_at);
  const isMissed = isOpen && payment.accepted_at !== null;
  const isOverdue = isOpen && !isMissed && nowMs > endsAtMs;
  const isAskedFor = isOpen && !isMissed && !isOverdue;
  const coins: Coins = (amount) => `${shortenAmount(amount)} ${coin.ticker}`;
  const counts = payment.status === 'confirming' || payment.status === 'reorged';
  return {
    ...(isMissed ? missedWords : isOverdue ? overdueWords : words[payment.status](payment, coins, coin)),
    step: isMissed || isOverdue ? undefined : steps[payment.status],
    toPay: isAskedFor ? payment.remaining : undefined,
    deadlineMs: isAskedFor ? endsAtMs : undefined,
    confirmations: counts ? countConfirmations(payment, coin) : undefined,
  };
}

/** An amount without the zeros at its end that say nothing; two decimals stay. */
export function shortenAmount(amount: string): string {
  return amount.replace(/(\.\d{2,}?)0+$/, '$1');
}

const steps: Readonly<Record<PaymentStatus, Step | undefined>> = {
  open: 'pay',
  underpaid: 'pay',
  detected: 'seen',
  confirming: 'confirming',
  paid: 'paid',
  overpaid: 'paid',
  expired: undefined,
  cancelled: undefined,
  reorged: undefined,
};

const overdueWords: Words = {
  tone: 'over',
  headline: 'The time is up',
  text: 'Do not pay this request any more. If you have paid in time, wait a moment: this page follows by itself.',
};

/** What the merchant had accepted went away again; nobody has asked for it anew. */
const missedWords: Words = {
  tone: 'warning',
  headline: 'What was accepted is missing',
  text:
    'The merchant had accepted what came, and a part of it cannot be seen now. It may come back by itself: look at the ' +
    'transaction in your wallet, and ask the merchant before you pay again.',
};

const words: Readonly<Record<PaymentStatus, (payment: PaymentJson, coins: Coins, coin: CoinWords) => Words>> =
  {
    open: (payment, coins) => ({
      tone: 'waiting',
      headline: 'Waiting for your payment',
      text: `Send ${coins(payment.amount)} to the address below. This page follows by itself.`,
    }),
    underpaid: (payment, coins) => ({
      tone: 'warning',
      headline: `${coins(payment.remaining)} missing`,
      text:
        `${coins(payment.received.seen)} of ${coins(payment.amount)} came. ` +
        'Send the rest to the same address before the time is up.',
    }),
    detected: ({ accepted_at }) => ({
      tone: 'moving',
      headline: 'Payment seen',
      text:
        `${accepted_at === null ? 'The whole amount' : 'What the merchant accepted'} is on its way and waits for a block. ` +
        'There is nothing more for you to do.',
    }),
    confirming: (payment, _, coin) => {
      const { have, need } = countConfirmations(payment, coin);
      return {
        tone: 'moving',
        headline: 'Payment is being confirmed',
        text: `${have} of ${need} confirmations. There is nothing more for you to do.`,
      };
    },
    paid: (payment, coins) => ({
      tone: 'done',
      headline: 'Paid',
      text: `${coins(payment.received.settled)} arrived. Thank you; you can close this page.`,
    }),
    overpaid: (payment, coins, coin) => ({
      tone: 'done',
      headline: 'Paid, and more than was asked',
      text:
        `${coins(payment.received.settled)} arrived, ${coins(subtract(payment.received.settled, payment.amount, coin))} more ` +
        'than was asked. Only the merchant can send it back: ask there, with the number of this payment.',
    }),
    expired: (payment, coins) => ({
      tone: 'over',
      headline: 'This payment request has expired',
      text: `${describeShortfall(payment, coins)}${describeLate(payment, coins)}`,
    }),
    cancelled: (payment, coins) => ({
      tone: 'over',
      headline: 'This payment request was cancelled',
      text: `The merchant took it back. Do not send anything to its address.${describeLate(payment, coins)}`,
    }),
    reorged: (payment, coins) => ({
      tone: 'warning',
      headline: 'A confirmation was taken back',
      text: isZero(payment.remaining)
        ? 'The network replaced blocks that had confirmed this payment. It is usually confirmed again by itself: wait, and do not pay again.'
        : `The network replaced blocks that had confirmed this payment, and ${coins(payment.remaining)} of it cannot be seen now. ` +
          'Look at the transaction in your wallet and ask the merchant before you pay again.',
    }),
  };

function describeShortfall({ reason, received, amount }: PaymentJson, coins: Coins): string {
  const ask =
    'Do not send more: ask the merchant, with the number of this payment, to accept or to send back what';
  switch (reason) {
    case 'partial':
      return `Only ${coins(received.seen)} of ${coins(amount)} came in time. ${ask} came.`;
    case 'unconfirmed':
      return `${coins(received.seen)} came in time, and no block has taken it up since. ${ask} came, if it still does.`;
    case 'lost':
      return `It had been paid, and the network took that back. ${ask} is there.`;
    default:
      return 'Nothing came in time. Do not send anything to this address any more: ask the merchant for a new request.';
  }
}

function describeLate(payment: PaymentJson, coins: Coins): string {
  return isZero(payment.received.late)
    ? ''
    : ` ${coins(payment.received.late)} came too late. The merchant has been told, and can accept it or send it back.`;
}

/** Confirmations of the whole amount: those of the youngest output that is needed for it, the deepest counted first. */
function countConfirmations(payment: PaymentJson, coin: CoinWords): { have: number; need: number } {
  const need = payment.confirmations_required;
  const amount = parse(smaller(payment.amount, payment.accepted_amount, coin), coin);
  const counted = payment.transactions
    .filter(({ state, late }) => state === 'confirmed' && !late)
    .sort((a, b) => b.confirmations - a.confirmations);
  let sum = 0n;
  for (const output of counted) {
    sum += parse(output.amount, coin);
    if (sum >= amount) return { have: Math.min(output.confirmations, need), need };
  }
  return { have: 0, need };
}

/** What makes it paid: the merchant may have accepted less than was asked. */
function smaller(amount: string, accepted: string | null, coin: CoinWords): string {
  return accepted !== null && parse(accepted, coin) < parse(amount, coin) ? accepted : amount;
}

function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount);
}

function subtract(from: string, what: string, coin: CoinWords): string {
  return formatAmount(parse(from, coin) - parse(what, coin), coin.decimals);
}

function parse(amount: string, { decimals }: CoinWords): bigint {
  return getValue(parseAmount(amount, decimals));
}
