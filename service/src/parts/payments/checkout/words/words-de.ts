import type { CheckoutWords, Figures } from './checkout-words.ts';

/** German, formal. */
export const german: CheckoutWords = {
  language: 'de',
  locale: 'de-DE',
  ownName: 'Deutsch',

  statuses: {
    open: ({ amount }) => ({
      headline: 'Wir warten auf Ihre Zahlung',
      text: `Bitte senden Sie ${amount} an die Adresse unten. Diese Seite aktualisiert sich von selbst.`,
    }),
    underpaid: ({ remaining, seen, amount }) => ({
      headline: `Es fehlen noch ${remaining}`,
      text:
        `${seen} von ${amount} sind angekommen. Bitte senden Sie den Rest an dieselbe Adresse, ` +
        'bevor die Zeit abläuft.',
    }),
    detected: ({ isAccepted, tolerated }) => ({
      headline: 'Zahlung erkannt',
      text:
        `${isAccepted ? 'Der vom Händler akzeptierte Betrag' : tolerated ? 'Ihre Zahlung' : 'Der volle Betrag'} ist unterwegs und wartet auf ` +
        'einen Block. Sie müssen nichts weiter tun.',
    }),
    confirming: ({ have, need }) => ({
      headline: 'Zahlung wird bestätigt',
      text: `${have} von ${need} Bestätigungen. Sie müssen nichts weiter tun.`,
    }),
    paid: ({ settled, tolerated }) => ({
      headline: 'Bezahlt',
      text:
        `${settled} sind angekommen${tolerated === undefined ? '' : `; die fehlenden ${tolerated} werden Ihnen erlassen`}. ` +
        'Vielen Dank! Sie können diese Seite schließen.',
    }),
    overpaid: ({ settled, excess, isAskedWhere }) => ({
      headline: 'Bezahlt, mehr als gefordert',
      text:
        `${settled} sind angekommen, ${excess} mehr als gefordert. Nur der Händler kann Ihnen das Geld zurücksenden: ` +
        (isAskedWhere
          ? 'Bitte geben Sie unten an, wohin.'
          : 'Bitte wenden Sie sich mit der Nummer dieser Zahlung an ihn.'),
    }),
    expired: (figures) => ({
      headline: 'Diese Zahlungsanforderung ist abgelaufen',
      text: `${describeShortfall(figures)}${describeLate(figures)}`,
    }),
    cancelled: (figures) => ({
      headline: 'Diese Zahlungsanforderung wurde storniert',
      text: `Der Händler hat sie zurückgezogen. Bitte senden Sie nichts an die Adresse.${describeLate(figures)}`,
    }),
    reorged: ({ isMissing, remaining }) => ({
      headline: 'Eine Bestätigung wurde zurückgenommen',
      text: isMissing
        ? `Das Netzwerk hat Blöcke ersetzt, die diese Zahlung bestätigt hatten, und ${remaining} davon sind derzeit ` +
          'nicht zu sehen. Bitte prüfen Sie die Transaktion in Ihrer Wallet und fragen Sie den Händler, bevor Sie ' +
          'noch einmal zahlen.'
        : 'Das Netzwerk hat Blöcke ersetzt, die diese Zahlung bestätigt hatten. Meist wird sie von selbst wieder ' +
          'bestätigt: Bitte warten Sie, und zahlen Sie nicht noch einmal.',
    }),
  },
  overdue: {
    headline: 'Die Zeit ist abgelaufen',
    text:
      'Bitte zahlen Sie jetzt nicht mehr. Falls Sie rechtzeitig gezahlt haben, warten Sie einen Moment: Diese Seite ' +
      'aktualisiert sich von selbst.',
  },
  missed: {
    headline: 'Vom akzeptierten Betrag fehlt etwas',
    text:
      'Der Händler hatte akzeptiert, was angekommen war, und ein Teil davon ist derzeit nicht zu sehen. Vielleicht kommt ' +
      'er von selbst zurück: Bitte prüfen Sie die Transaktion in Ihrer Wallet und fragen Sie den Händler, bevor Sie noch ' +
      'einmal zahlen.',
  },

  progress: {
    label: 'Fortschritt',
    steps: { pay: 'Zahlen', seen: 'Erkannt', confirming: 'Bestätigt', paid: 'Bezahlt' },
    confirmations: 'Bestätigungen',
    count: (have, need) => `${have} von ${need}`,
  },

  pay: {
    sendExactly: 'Bitte genau diesen Betrag senden',
    stillMissing: 'Noch zu zahlen',
    until: 'bis',
    ways: 'So können Sie zahlen',
    qrCode: 'QR-Code',
    address: 'Adresse',
    link: 'Link',
    qrLabel: 'QR-Code dieser Zahlung',
    toAddress: 'An diese Adresse',
    walletLink: 'Link für eine Wallet',
    openWallet: 'In der Wallet öffnen',
    caution:
      'Zahlungen lassen sich nicht rückgängig machen. Vergleichen Sie vor dem Senden Betrag und Adresse in Ihrer Wallet ' +
      'mit dieser Seite.',
  },

  copy: {
    button: 'Kopieren',
    amount: 'Betrag kopieren',
    address: 'Adresse kopieren',
    link: 'Link kopieren',
  },

  facts: {
    merchantWrites: 'Nachricht des Händlers',
    askedFor: 'Geforderter Betrag',
    price: 'Preis',
    rate: 'Kurs',
    received: 'Erhalten',
    address: 'Adresse',
  },

  transactions: {
    title: 'Transaktionen',
    confirmations: (count) => `${count} Bestätigung${count === 1 ? '' : 'en'}`,
    inMempool: 'wartet auf einen Block',
    gone: 'nicht mehr zu sehen',
    late: ', zu spät',
    replaceable: ', noch ersetzbar',
  },

  back: { withoutPaying: 'Ohne Zahlung zurück zum Shop', toShop: 'Zurück zum Shop' },

  refund: {
    title: 'Rückzahlung',
    leftOver: 'Nicht Teil dieser Zahlung:',
    ask: 'Wohin soll der Betrag zurückgehen?',
    submit: 'Adresse speichern',
    caution:
      'Bitte geben Sie eine Empfangsadresse Ihrer eigenen Wallet an. Das geht nur einmal. Über die Rückzahlung entscheidet der ' +
      'Händler, und er führt sie aus. Geben Sie hier niemals einen privaten Schlüssel oder Ihre Wiederherstellungswörter ein.',
    given: 'Der Betrag soll zurückgehen an',
    onlyMerchant: 'Nur der Händler kann das ändern.',
    steps: { planned: 'wird zurückgesendet', moving: 'ist auf dem Rückweg', done: 'wurde zurückgesendet' },
    to: 'an',
  },

  receipt: {
    print: 'Beleg drucken',
    title: 'Zahlungsbeleg',
    shop: 'Shop',
    order: 'Bestellung',
    payment: 'Zahlung',
    amount: 'Betrag',
    price: 'Preis',
    rate: 'Kurs',
    received: 'Erhalten',
    tolerated: 'Erlassen',
    address: 'An die Adresse',
    paidAt: 'Bezahlt am',
    writtenAt: 'Stand',
    transactions: 'Transaktionen',
    block: (height) => `Block ${height}`,
    firstSeen: 'zuerst gesehen',
    note: 'Alle Zeiten in UTC. Dieser Beleg bestätigt eine Zahlung; er ist keine Rechnung.',
  },

  script: {
    copied: 'Kopiert',
    selected: 'Markiert',
    notAllowed: 'Nicht erlaubt',
    left: ', noch {time}',
    noneLeft: ', Zeit abgelaufen',
    days: 'T',
    hours: 'Std.',
    offline: 'Keine Verbindung. Sie sehen den Stand von {time}; wir versuchen es weiter.',
  },

  errors: {
    header: 'Zahlung',
    notFound: {
      headline: 'Diese Zahlung gibt es nicht',
      text:
        'Hier ist nichts zu zahlen. Bitte prüfen Sie, ob der Link vollständig ist, und fragen Sie nach, von wem er ' +
        'stammt.',
    },
    tooMany: {
      headline: 'Zu viele Anfragen',
      text: 'Diese Seite wurde aus Ihrem Netz zu oft abgerufen. Bitte laden Sie sie in einer Minute neu.',
    },
    ours: {
      headline: 'Diese Seite ist gerade nicht verfügbar',
      text:
        'Der Fehler liegt bei uns, und Ihrer Zahlung ist nichts geschehen. Bitte laden Sie die Seite gleich noch ' +
        'einmal.',
    },
    other: {
      headline: 'Diese Seite lässt sich nicht anzeigen',
      text: 'Bitte prüfen Sie den Link.',
    },
    noAddress: {
      headline: 'Diese Adresse ist nicht verwendbar',
      text:
        'Bitte kopieren Sie die vollständige Adresse aus Ihrer Wallet und prüfen Sie, ob sie zu dieser Währung gehört. Die ' +
        'Adresse, an die Sie gezahlt haben, ist nicht möglich.',
    },
    keyRefused: {
      headline: 'Das sieht nach einem privaten Schlüssel oder Wiederherstellungswörtern aus',
      text:
        'Die Eingabe wurde nicht gespeichert. Geben Sie so etwas niemals auf einer Webseite ein: Wer es hat, hat Ihr Geld. ' +
        'Gehen Sie davon aus, dass es bekannt geworden ist, und übertragen Sie Ihr Guthaben in eine neue Wallet. Gesucht ist die ' +
        'Adresse, die Ihre Wallet zum Empfangen anzeigt.',
    },
    addressGiven: {
      headline: 'Es wurde bereits eine Adresse angegeben',
      text: 'Das geht nur einmal. Wenn es nicht Ihre ist, wenden Sie sich bitte sofort an den Händler.',
    },
    nothingLeft: {
      headline: 'Es gibt nichts zurückzuzahlen',
      text: 'Von dieser Zahlung ist derzeit nichts übrig.',
    },
    back: 'Zurück zur Zahlung',
    request: (id, code) => `Anfrage ${id}, ${code}`,
  },
};

function describeShortfall({ reason, seen, amount }: Figures): string {
  const ask = 'Bitte senden Sie nichts mehr, sondern bitten Sie den Händler unter Angabe der Zahlungsnummer,';
  switch (reason) {
    case 'partial':
      return `Nur ${seen} von ${amount} sind rechtzeitig angekommen. ${ask} den Betrag zu akzeptieren oder zurückzusenden.`;
    case 'unconfirmed':
      return (
        `${seen} wurden rechtzeitig gesehen, aber seither in keinen Block aufgenommen. ${ask} zu akzeptieren oder ` +
        'zurückzusenden, was noch ankommt.'
      );
    case 'lost':
      return (
        `Die Zahlung war bestätigt, und das Netzwerk hat das zurückgenommen. ${ask} zu akzeptieren oder ` +
        'zurückzusenden, was noch da ist.'
      );
    default:
      return (
        'Es ist nichts rechtzeitig angekommen. Bitte senden Sie nichts mehr an diese Adresse, sondern bitten Sie den ' +
        'Händler um eine neue Zahlungsanforderung.'
      );
  }
}

function describeLate({ late, isAskedWhere }: Figures): string {
  if (late === undefined) return '';
  const said = ` ${late} kamen zu spät. Der Händler wurde benachrichtigt und kann den Betrag akzeptieren oder zurücksenden`;
  return isAskedWhere ? `${said}: Bitte geben Sie unten an, wohin.` : `${said}.`;
}
