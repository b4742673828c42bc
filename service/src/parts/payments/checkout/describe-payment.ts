/** What a payer is told about a payment: a pure function of what everybody may see of it, the language, and the clock. */

import type { PaymentJson, PaymentStatus } from '@coinfront/api/payments.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { CheckoutWords, Figures, Message, Step } from './words/checkout-words.ts';

/** How a status looks: it waits for the payer, goes its way, is done, needs patience or is over. */
export type Tone = 'waiting' | 'moving' | 'done' | 'warning' | 'over';

/** What the page shows besides the payment's own fields. */
export type Description = Message & {
  tone: Tone;
  /** Where the payment is on its usual way; undefined off it. */
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

/** Describes a payment for the one who pays. `isAskedWhere`: the page asks where left-over money should go back to. */
export function describePayment(
  payment: PaymentJson,
  coin: CoinWords,
  words: CheckoutWords,
  nowMs: number,
  isAskedWhere = false,
): Description {
  const isOpen = payment.status === 'open' || payment.status === 'underpaid';
  const endsAtMs = Date.parse(payment.expires_at);
  const isMissed = isOpen && payment.accepted_at !== null;
  const isOverdue = isOpen && !isMissed && nowMs > endsAtMs;
  const isAskedFor = isOpen && !isMissed && !isOverdue;
  const counts = payment.status === 'confirming' || payment.status === 'reorged';
  const message = isMissed
    ? words.missed
    : isOverdue
      ? words.overdue
      : words.statuses[payment.status]({ ...readFigures(payment, coin), isAskedWhere });
  return {
    ...message,
    tone: isMissed ? 'warning' : isOverdue ? 'over' : tones[payment.status],
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

/** Whether an amount is nothing. */
export function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount);
}

const tones: Readonly<Record<PaymentStatus, Tone>> = {
  open: 'waiting',
  underpaid: 'warning',
  detected: 'moving',
  confirming: 'moving',
  paid: 'done',
  overpaid: 'done',
  expired: 'over',
  cancelled: 'over',
  reorged: 'warning',
};

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

function readFigures(payment: PaymentJson, coin: CoinWords): Omit<Figures, 'isAskedWhere'> {
  const { amount, remaining, received, tolerated, reason, accepted_at } = payment;
  const coins = (text: string): string => `${shortenAmount(text)} ${coin.ticker}`;
  return {
    amount: coins(amount),
    remaining: coins(remaining),
    seen: coins(received.seen),
    settled: coins(received.settled),
    excess: coins(subtract(received.settled, amount, coin)),
    tolerated: isZero(tolerated) ? undefined : coins(tolerated),
    late: isZero(received.late) ? undefined : coins(received.late),
    ...countConfirmations(payment, coin),
    reason,
    isAccepted: accepted_at !== null,
    isMissing: !isZero(remaining),
  };
}

/** Confirmations of the whole amount: those of the youngest output that is needed for it, the deepest counted first. */
function countConfirmations(payment: PaymentJson, coin: CoinWords): { have: number; need: number } {
  const need = payment.confirmations_required;
  const due = findDue(payment, coin);
  const counted = payment.transactions
    .filter(({ state, late }) => state === 'confirmed' && !late)
    .sort((a, b) => b.confirmations - a.confirmations);
  let sum = 0n;
  for (const output of counted) {
    sum += parse(output.amount, coin);
    if (sum >= due) return { have: Math.min(output.confirmations, need), need };
  }
  return { have: 0, need };
}

/** What makes it paid: the merchant may have accepted less than was asked, or let a little pass. */
function findDue({ amount, tolerated, accepted_amount: accepted }: PaymentJson, coin: CoinWords): bigint {
  const asked = parse(amount, coin) - parse(tolerated, coin);
  const enough = accepted === null ? asked : parse(accepted, coin);
  return enough < asked ? enough : asked;
}

/** Nothing where more would be taken away than there is. */
function subtract(from: string, what: string, coin: CoinWords): string {
  const difference = parse(from, coin) - parse(what, coin);
  return formatAmount(difference > 0n ? difference : 0n, coin.decimals);
}

function parse(amount: string, { decimals }: CoinWords): bigint {
  return getValue(parseAmount(amount, decimals));
}
