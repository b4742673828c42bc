import type { CheckoutWords, Figures } from './checkout-words.ts';

/** English. */
export const english: CheckoutWords = {
  language: 'en',
  locale: 'en-GB',
  ownName: 'English',

  statuses: {
    open: ({ amount }) => ({
      headline: 'Waiting for your payment',
      text: `Send ${amount} to the address below. This page follows by itself.`,
    }),
    underpaid: ({ remaining, seen, amount }) => ({
      headline: `${remaining} missing`,
      text: `${seen} of ${amount} came. Send the rest to the same address before the time is up.`,
    }),
    detected: ({ isAccepted, tolerated }) => ({
      headline: 'Payment seen',
      text:
        `${isAccepted ? 'What the merchant accepted' : tolerated ? 'What is needed' : 'The whole amount'} is on its way and waits for a block. ` +
        'There is nothing more for you to do.',
    }),
    confirming: ({ have, need }) => ({
      headline: 'Payment is being confirmed',
      text: `${have} of ${need} confirmations. There is nothing more for you to do.`,
    }),
    paid: ({ settled, tolerated }) => ({
      headline: 'Paid',
      text:
        `${settled} arrived${tolerated === undefined ? '' : `, and the missing ${tolerated} is waived`}. ` +
        'Thank you; you can close this page.',
    }),
    overpaid: ({ settled, excess, isAskedWhere }) => ({
      headline: 'Paid, and more than was asked',
      text:
        `${settled} arrived, ${excess} more than was asked. Only the merchant can send it back: ` +
        (isAskedWhere ? 'say below where to.' : 'ask there, with the number of this payment.'),
    }),
    expired: (figures) => ({
      headline: 'This payment request has expired',
      text: `${describeShortfall(figures)}${describeLate(figures)}`,
    }),
    cancelled: (figures) => ({
      headline: 'This payment request was cancelled',
      text: `The merchant took it back. Do not send anything to its address.${describeLate(figures)}`,
    }),
    reorged: ({ isMissing, remaining }) => ({
      headline: 'A confirmation was taken back',
      text: isMissing
        ? `The network replaced blocks that had confirmed this payment, and ${remaining} of it cannot be seen now. ` +
          'Look at the transaction in your wallet and ask the merchant before you pay again.'
        : 'The network replaced blocks that had confirmed this payment. It is usually confirmed again by itself: wait, and do not pay again.',
    }),
  },
  overdue: {
    headline: 'The time is up',
    text: 'Do not pay this request any more. If you have paid in time, wait a moment: this page follows by itself.',
  },
  missed: {
    headline: 'What was accepted is missing',
    text:
      'The merchant had accepted what came, and a part of it cannot be seen now. It may come back by itself: look at the ' +
      'transaction in your wallet, and ask the merchant before you pay again.',
  },

  progress: {
    label: 'Progress',
    steps: { pay: 'Pay', seen: 'Seen', confirming: 'Confirmed', paid: 'Paid' },
    confirmations: 'Confirmations',
    count: (have, need) => `${have} of ${need}`,
  },

  pay: {
    sendExactly: 'Send exactly',
    stillMissing: 'Still missing',
    until: 'until',
    ways: 'Ways to pay',
    qrCode: 'QR code',
    address: 'Address',
    link: 'Link',
    qrLabel: 'QR code of this payment',
    toAddress: 'To this address',
    walletLink: 'Link for a wallet',
    openWallet: 'Open in a wallet',
    caution:
      'Payments cannot be taken back. Before you send, compare amount and address in your wallet with this page.',
  },

  copy: { button: 'Copy', amount: 'Copy amount', address: 'Copy address', link: 'Copy link' },

  facts: {
    merchantWrites: 'The merchant writes',
    askedFor: 'Asked for',
    price: 'Price',
    rate: 'Rate',
    received: 'Received',
    address: 'Address',
  },

  transactions: {
    title: 'Transactions',
    confirmations: (count) => `${count} confirmation${count === 1 ? '' : 's'}`,
    inMempool: 'waits for a block',
    gone: 'no longer seen',
    late: ', too late',
    replaceable: ', can still be replaced',
  },

  back: { withoutPaying: 'Back to the shop without paying', toShop: 'Back to the shop' },

  refund: {
    title: 'Money back',
    leftOver: 'Not part of this payment:',
    ask: 'Where should it go back to?',
    submit: 'Save address',
    caution:
      'Give an address of your own wallet that you can receive at. It can be given once. The merchant decides about the money, ' +
      'and sends it. Never type a private key or recovery words here.',
    given: 'It should go back to',
    onlyMerchant: 'Only the merchant can change this.',
    steps: { planned: 'will be sent back', moving: 'is on its way back', done: 'was sent back' },
    to: 'to',
  },

  receipt: {
    print: 'Print receipt',
    title: 'Receipt',
    shop: 'Shop',
    order: 'Order',
    payment: 'Payment',
    amount: 'Amount',
    price: 'Price',
    rate: 'Rate',
    received: 'Received',
    tolerated: 'Waived',
    address: 'To address',
    paidAt: 'Paid',
    writtenAt: 'As of',
    transactions: 'Transactions',
    block: (height) => `Block ${height}`,
    firstSeen: 'first seen',
    note: 'Times are in UTC. This confirms a payment; it is not an invoice.',
  },

  script: {
    copied: 'Copied',
    selected: 'Selected',
    notAllowed: 'Not allowed',
    left: ', {time} left',
    noneLeft: ', no time left',
    days: 'd',
    hours: 'h',
    offline: 'No connection. What you see is of {time}; trying again.',
  },

  errors: {
    header: 'Payment',
    notFound: {
      headline: 'There is no such payment',
      text: 'Nothing is to be paid here. Check the link with the one who sent it; its last part must be complete.',
    },
    tooMany: {
      headline: 'Too many requests',
      text: 'This page was asked for too often from your network. Wait a minute and load it again.',
    },
    ours: {
      headline: 'This page cannot be shown now',
      text: 'The fault is on our side, and nothing has happened to your payment. Load the page again in a moment.',
    },
    other: {
      headline: 'This page cannot be shown',
      text: 'Check the link with the one who sent it.',
    },
    noAddress: {
      headline: 'This is not a usable address',
      text: 'Copy the address from your wallet, whole, and check that it is for this coin. It cannot be the address that you paid.',
    },
    keyRefused: {
      headline: 'That looks like a private key or recovery words',
      text:
        'It was not kept. Never type it into a page: whoever has it has your coins. Treat it as exposed, and move your coins to a new ' +
        'wallet. An address is what your wallet shows for receiving.',
    },
    addressGiven: {
      headline: 'An address was given before',
      text: 'It can be given once. If it is not yours, tell the merchant at once.',
    },
    nothingLeft: {
      headline: 'There is nothing to send back',
      text: 'Nothing of this payment is left over now.',
    },
    back: 'Back to the payment',
    request: (id, code) => `Request ${id}, ${code}`,
  },
};

function describeShortfall({ reason, seen, amount }: Figures): string {
  const ask =
    'Do not send more: ask the merchant, with the number of this payment, to accept or to send back what';
  switch (reason) {
    case 'partial':
      return `Only ${seen} of ${amount} came in time. ${ask} came.`;
    case 'unconfirmed':
      return `${seen} came in time, and no block has taken it up since. ${ask} came, if it still does.`;
    case 'lost':
      return `It had been paid, and the network took that back. ${ask} is there.`;
    default:
      return 'Nothing came in time. Do not send anything to this address any more: ask the merchant for a new request.';
  }
}

function describeLate({ late, isAskedWhere }: Figures): string {
  if (late === undefined) return '';
  const said = ` ${late} came too late. The merchant has been told, and can accept it or send it back`;
  return isAskedWhere ? `${said}: say below where to.` : `${said}.`;
}
