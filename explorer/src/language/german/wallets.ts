/** The page of a wallet that is given by its public key. */
export const wallets = {
  Wallet: 'Wallet',
  'Wallet by its public key': 'Wallet anhand ihres öffentlichen Schlüssels',
  'Balance, next addresses and history of a wallet whose keys stay where they are. Never enter a private key or a mnemonic: only its public key, xpub, zpub and the like, or its descriptor.':
    'Guthaben, nächste Adressen und Verlauf einer Wallet, deren Schlüssel bleiben, wo sie sind. Niemals einen privaten Schlüssel oder eine Wortliste eingeben: nur ihren öffentlichen Schlüssel (xpub, zpub und dergleichen) oder ihren Deskriptor.',
  'Whoever runs this service learns from a public key that its addresses belong together, those of the future as well, and sees which network asks. It is sent in the body of a request when you press the button, never in an address, and is neither kept nor logged. To tell nobody, run a service of your own.':
    'Wer diesen Dienst betreibt, erfährt aus einem öffentlichen Schlüssel, dass dessen Adressen zusammengehören, auch die künftigen, und sieht, aus welchem Netz die Anfrage kommt. Der Schlüssel wird erst beim Drücken des Knopfes gesendet, im Rumpf einer Anfrage, nie in einer Adresse, und weder aufbewahrt noch protokolliert. Wer niemandem etwas verraten möchte, betreibt einen eigenen Dienst.',
  'Extended public key, or descriptor': 'Erweiterter öffentlicher Schlüssel oder Deskriptor',
  'Kind of addresses, gap limit': 'Art der Adressen, Gap-Limit',
  'Kind of addresses, where the key does not say it': 'Art der Adressen, falls der Schlüssel sie nicht nennt',
  'as the key says': 'wie der Schlüssel es sagt',
  'Unused addresses in a row after which the wallet ends':
    'Unbenutzte Adressen hintereinander, nach denen die Wallet endet',
  'Show this wallet': 'Wallet anzeigen',
  'This is no extended public key and no descriptor. It was not sent. A key has 111 or 112 letters and digits, as xpub6… or zpub6…; a descriptor is such as wpkh(xpub6…/<0;1>/*).':
    'Das ist weder ein erweiterter öffentlicher Schlüssel noch ein Deskriptor. Es wurde nicht gesendet. Ein Schlüssel hat 111 oder 112 Buchstaben und Ziffern, etwa xpub6… oder zpub6…; ein Deskriptor ist etwa wpkh(xpub6…/<0;1>/*).',
  'What looks for private keys could not be fetched, so nothing was sent. Load the page again.':
    'Die Prüfung auf private Schlüssel konnte nicht geladen werden, deshalb wurde nichts gesendet. Bitte die Seite neu laden.',
  'as of block {height}': 'Stand: Block {height}',
  'Next unused addresses': 'Nächste unbenutzte Adressen',
  'For change': 'Für Wechselgeld',
  'To be paid': 'Zum Empfangen',
  'QR code of the next unused address': 'QR-Code der nächsten unbenutzten Adresse',
  'Addresses that were used': 'Benutzte Adressen',
  'Change addresses that were used': 'Benutzte Wechselgeldadressen',
  'None was used yet.': 'Noch keine wurde benutzt.',
  'Show all {count}': 'Alle {count} anzeigen',
  'No transaction has touched this wallet yet.': 'Noch keine Transaktion hat diese Wallet berührt.',
  'the wallet': 'Wallet',
  'Its extended public key, or descriptor': 'Erweiterter öffentlicher Schlüssel oder Deskriptor',
};
