/** What the pages of the checkout say: the type of a language. What one language lacks does not compile. */

import type { PaymentReason, PaymentStatus } from '@coinfront/api/payments.ts';

/** Languages that there are words for, as BCP 47 names them. */
export type Language = 'en' | 'de';

/** Where a payment is on its usual way. */
export type Step = 'pay' | 'seen' | 'confirming' | 'paid';

/** How far money is on its way back: it is meant to go, is under way, or has arrived. */
export type RefundStep = 'planned' | 'moving' | 'done';

/** What is said about a payment. */
export type Message = { headline: string; text: string };

/** A payment in figures. Amounts have their ticker, and no zeros at the end that say nothing. */
export type Figures = {
  amount: string;
  remaining: string;
  seen: string;
  settled: string;
  /** Settled beyond the amount. */
  excess: string;
  /** Missing of the amount and not asked for; undefined when nothing is. */
  tolerated: string | undefined;
  /** Undefined when nothing came too late. */
  late: string | undefined;
  /** Confirmations of the whole amount, and those that it needs. */
  have: number;
  need: number;
  reason: PaymentReason | null;
  isAccepted: boolean;
  /** Whether the page asks where left-over money should go back to. */
  isAskedWhere: boolean;
  /** Whether less is seen than is due. */
  isMissing: boolean;
};

/** All words of one language. */
export type CheckoutWords = {
  language: Language;
  /** How times are written; amounts are written the same in all languages. */
  locale: string;
  /** The language in its own words. */
  ownName: string;

  statuses: Readonly<Record<PaymentStatus, (figures: Figures) => Message>>;
  /** The time is up, and the payment not judged yet. */
  overdue: Message;
  /** What the merchant had accepted went away again; nobody has asked for it anew. */
  missed: Message;

  progress: {
    label: string;
    steps: Readonly<Record<Step, string>>;
    confirmations: string;
    count(have: number, need: number): string;
  };

  pay: {
    sendExactly: string;
    stillMissing: string;
    until: string;
    ways: string;
    qrCode: string;
    address: string;
    link: string;
    qrLabel: string;
    toAddress: string;
    walletLink: string;
    openWallet: string;
    caution: string;
  };

  copy: { button: string; amount: string; address: string; link: string };

  facts: {
    merchantWrites: string;
    askedFor: string;
    price: string;
    /** Where the price's amount of coins comes from. */
    rate: string;
    received: string;
    address: string;
  };

  transactions: {
    title: string;
    confirmations(count: number): string;
    inMempool: string;
    gone: string;
    /** Added to the others. */
    late: string;
    /** Added where no confirmations are needed, since it keeps the payment from being paid. */
    replaceable: string;
  };

  back: { withoutPaying: string; toShop: string };

  /** Money that is no part of the payment, and where it goes. */
  refund: {
    title: string;
    /** An amount follows. */
    leftOver: string;
    ask: string;
    submit: string;
    caution: string;
    /** A shortened address follows. */
    given: string;
    onlyMerchant: string;
    steps: Readonly<Record<RefundStep, string>>;
    /** A shortened address follows. */
    to: string;
  };

  receipt: {
    print: string;
    title: string;
    shop: string;
    order: string;
    payment: string;
    amount: string;
    price: string;
    rate: string;
    received: string;
    tolerated: string;
    address: string;
    paidAt: string;
    writtenAt: string;
    transactions: string;
    block(height: number): string;
    firstSeen: string;
    note: string;
  };

  /** What the page's script says; `{time}` is filled in by it. */
  script: {
    copied: string;
    selected: string;
    notAllowed: string;
    left: string;
    noneLeft: string;
    days: string;
    hours: string;
    offline: string;
  };

  errors: {
    header: string;
    notFound: Message;
    tooMany: Message;
    ours: Message;
    other: Message;
    noAddress: Message;
    keyRefused: Message;
    addressGiven: Message;
    nothingLeft: Message;
    /** Leads back to the payment. */
    back: string;
    request(id: string, code: string): string;
  };
};
