/** For developers: reference, releases, wallet standard. */
export const documents = {
  Developers: 'Entwickler',
  'Everything on these pages is available through the API, without an API key. Private keys never leave the wallet: no operation accepts one.':
    'Alles auf diesen Seiten gibt es auch über die API, ohne API-Schlüssel. Private Schlüssel verlassen nie die Wallet: keine Operation nimmt einen an.',
  Reference: 'Referenz',
  Part: 'Teil',
  OpenAPI: 'OpenAPI',
  Purpose: 'Zweck',
  curl: 'curl',
  'Every answer names the block that it was read at in X-Chain-Height and X-Chain-Tip. Send the ETag back as If-None-Match and an unchanged answer costs nothing: 304.':
    'Jede Antwort nennt in X-Chain-Height und X-Chain-Tip den Block, bei dem sie gelesen wurde. Wird der ETag als If-None-Match zurückgesendet, kostet eine unveränderte Antwort nichts: 304.',
  TypeScript: 'TypeScript',
  'One function an operation, typed; it runs in browsers and in Node, and signs on the side of the user.':
    'Eine typisierte Funktion je Operation; sie läuft in Browsern und in Node und signiert auf der Seite des Nutzers.',
  Limits: 'Grenzen',
  Requests: 'Anfragen',
  'unlimited here': 'hier unbegrenzt',
  '{count} units a minute for each address; RateLimit headers say what is left':
    '{count} Einheiten je Minute und Adresse; RateLimit-Header nennen den Rest',
  'Pages of lists': 'Seiten von Listen',
  '{count} items unless asked for more, {most} at most; next_cursor leads on':
    '{count} Einträge, wenn nicht mehr verlangt werden, höchstens {most}; next_cursor führt weiter',
  'Transactions sent': 'Gesendete Transaktionen',
  '{count} bytes at most': 'höchstens {count} Byte',
  '{count} blocks looked at unless asked for more, {most} at most':
    '{count} Blöcke werden durchsucht, wenn nicht mehr verlangt werden, höchstens {most}',
  Errors: 'Fehler',
  'problem documents (RFC 9457) with a stable code and a request id':
    'Problem-Dokumente (RFC 9457) mit festem Code und Anfragenummer',
  Changes: 'Änderungen',
  'What changed lately': 'Neueste Änderungen',
  'the changes': 'Änderungen',
  'They could not be fetched. Close this and open it again.':
    'Die Änderungen konnten nicht geladen werden. Bitte schließen und wieder öffnen.',
  example: 'Beispiel',
  'Link to this operation': 'Link auf diese Operation',
  "Needs the merchant's API key in X-COIN-Pay-API-Key.":
    'Benötigt den API-Schlüssel des Händlers in X-COIN-Pay-API-Key.',
  Body: 'Inhalt',
  'Answer {status}': 'Antwort {status}',
  'Example of an answer': 'Beispiel einer Antwort',
  '{title} example': '{title}-Beispiel',
  'This service has no such part. {link}.': 'Dieser Dienst hat keinen solchen Teil. {link}.',
  'All documents': 'Alle Dokumente',
  'API reference': 'API-Referenz',
  Documents: 'Dokumente',
  'the document': 'Dokument',
  '{title}, version {version}; all paths below {prefix}':
    '{title}, Version {version}; alle Pfade unterhalb von {prefix}',
  'Filter operations': 'Operationen filtern',
  '{count} of {operations}': '{count} von {operations}',
  'Before you run a download, compare its SHA-256 digest with the one shown here.':
    'Vor dem Ausführen eines Downloads seinen SHA-256-Hashwert mit dem hier angezeigten vergleichen.',
  releases: 'Releases',
  'Nothing has been released yet.': 'Noch ist nichts veröffentlicht.',
  'The operator of this service publishes no list of releases.':
    'Der Betreiber dieses Dienstes veröffentlicht keine Liste von Releases.',
  'SHA-256': 'SHA-256',
  System: 'System',
  'Signature of {name}': 'Signatur von {name}',
  signature: 'Signatur',
  'Wallet standard COIN-HD-1': 'Wallet-Standard COIN-HD-1',
  'From the words to addresses, signatures and secrets, so that a wallet can be restored by any other. Programs read it at {link}.':
    'Von den Wörtern zu Adressen, Signaturen und Geheimnissen, damit jede Wallet in jeder anderen wiederhergestellt werden kann. Programme lesen ihn unter {link}.',
  'the standard': 'Standard',
  Words: 'Wörter',
  '{standard}, {counts} words': '{standard}, {counts} Wörter',
  Keys: 'Schlüssel',
  'Coin type': 'Coin-Typ',
  'Gap limit': 'Gap-Limit',
  '{count} unused addresses': '{count} unbenutzte Adressen',
  'Payment links': 'Zahlungslinks',
  Genesis: 'Genesis',
  'genesis hash': 'Genesis-Hash',
  Accounts: 'Konten',
  Path: 'Pfad',
  default: 'Standard',
  'Signed messages': 'Signierte Nachrichten',
  'Other key branches': 'Weitere Schlüsselzweige',
  'Test vectors': 'Testvektoren',
  'test words': 'Testwörter',
  'Public key': 'Öffentlicher Schlüssel',
  'public key': 'öffentlicher Schlüssel',
  'This build has no changelog.': 'Dieser Build hat kein Änderungsprotokoll.',
  Parameters: 'Parameter',
  Type: 'Typ',
  Meaning: 'Bedeutung',
  'Response headers': 'Antwort-Header',
  ', optional': ', optional',
  Field: 'Feld',
  optional: 'optional',
  'Try it': 'Ausprobieren',
  Send: 'Senden',
  'Send with If-None-Match': 'Mit If-None-Match senden',
  Status: 'Status',
  'more than {bytes}': 'mehr als {bytes}',
  'The body is no text.': 'Der Inhalt ist kein Text.',
  body: 'Inhalt',
  'The rest of the body is not shown: use curl to get all of it.':
    'Der Rest des Inhalts wird nicht gezeigt: mit curl kommt alles.',
  'Chain, payments and pool': 'Kette, Zahlungen und Pool',
  'Node registry': 'Node-Register',
  Esplora: 'Esplora',
  'Blocks, transactions, addresses, supply, fees, the pool, payment requests and webhooks.':
    'Blöcke, Transaktionen, Adressen, Geldmenge, Gebühren, der Pool, Zahlungsanforderungen und Webhooks.',
  'Anchors of digests, with the branch to check them by.':
    'Verankerungen von Hashwerten, mit dem Pfad zum Prüfen.',
  'Availability, resolution, history, and what wallets sign.':
    'Verfügbarkeit, Auflösung, Verlauf und was Wallets signieren.',
  'Tokens, holders, events, checks before signing, reviewed metadata.':
    'Token, Inhaber, Ereignisse, Prüfungen vor dem Signieren, geprüfte Metadaten.',
  'Registered nodes, receipts of their checks, epochs.':
    'Registrierte Nodes, Belege ihrer Prüfungen, Epochen.',
  'Reconciliation, ledger, contributors and contributions.': 'Abgleich, Hauptbuch, Beitragende und Beiträge.',
  'The read API that existing wallets and libraries speak.':
    'Die Lese-API, die vorhandene Wallets und Bibliotheken sprechen.',
  Standard: 'Standard',
};
