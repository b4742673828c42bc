/** Proofs of existence. */
export const proofs = {
  'Anchor this digest': 'Diesen Hashwert verankern',
  'No transaction carries this digest. Once one does, everybody can see that the file existed by then.':
    'Keine Transaktion trägt diesen Hashwert. Sobald es eine gibt, können alle sehen, dass die Datei zu dieser Zeit existierte.',
  'Sending …': 'Wird gesendet …',
  'Anchor the digest': 'Hashwert verankern',
  'The service sends the transaction. This page updates by itself.':
    'Der Dienst sendet die Transaktion. Diese Seite aktualisiert sich von selbst.',
  'With your own wallet: send a transaction with an output of value 0 and this script.':
    'Mit der eigenen Wallet: eine Transaktion mit einem Ausgang vom Betrag 0 und diesem Skript senden.',
  Proof: 'Nachweis',
  'A SHA-256 digest has 64 hex digits. {link}.': 'Ein SHA-256-Hashwert hat 64 Hex-Ziffern. {link}.',
  'Hash a file': 'Hashwert einer Datei berechnen',
  'Proof of existence': 'Zeitstempelnachweis',
  'Proof {digest}': 'Nachweis {digest}',
  digest: 'Hashwert',
  'The digest of {name}, {bytes}, which stayed in this browser.':
    'Der Hashwert von {name}, {bytes}; die Datei ist in diesem Browser geblieben.',
  'the proof': 'Nachweis',
  'Existed before': 'Existierte vor',
  'output {index}': 'Ausgang {index}',
  Anchored: 'Verankert',
  '{count} times': '{count}-mal',
  'Further anchors': 'Weitere Verankerungen',
  'the earliest one counts': 'es zählt die früheste',
  'The SHA-256 digest below stands in block {height} of the chain of {name}, whose median time is {time}. A file that has this digest existed when that block was mined. The proof says nothing about who made the file.':
    'Der SHA-256-Hashwert unten steht in Block {height} der Kette von {name}, dessen Medianzeit {time} ist. Eine Datei mit diesem Hashwert existierte, als der Block geschürft wurde. Der Nachweis sagt nichts darüber, wer die Datei erstellt hat.',
  'Address of this proof': 'Adresse dieses Nachweises',
  'Digest (SHA-256)': 'Hashwert (SHA-256)',
  File: 'Datei',
  '{name}, {bytes} bytes, as named by who printed this':
    '{name}, {bytes} Byte, Name laut der Person, die dies gedruckt hat',
  '{txid}, output {index}': '{txid}, Ausgang {index}',
  'Block header': 'Block-Header',
  '{name}, genesis block {genesis}': '{name}, Genesis-Block {genesis}',
  Page: 'Seite',
  Printed: 'Gedruckt',
  'The SHA-256 digest below is in a tree of digests, whose root stands in block {height} of the chain of {name}; the median time of that block is {time}. A file that has this digest existed when that block was mined. The proof says nothing about who made the file.':
    'Der SHA-256-Hashwert unten gehört zu einem Baum von Hashwerten, dessen Wurzel in Block {height} der Kette von {name} steht; die Medianzeit dieses Blocks ist {time}. Eine Datei mit diesem Hashwert existierte, als der Block geschürft wurde. Der Nachweis sagt nichts darüber, wer die Datei erstellt hat.',
  'Place in the tree': 'Stelle im Baum',
  'leaf {index} of {size}, counted from 0': 'Blatt {index} von {size}, von 0 an gezählt',
  'Siblings on the way to the root': 'Geschwister auf dem Weg zur Wurzel',
  'on the left': 'links',
  'on the right': 'rechts',
  'Root of the tree': 'Wurzel des Baums',
  'Hash the byte {zero} and the digest with SHA-256. Then for each sibling, from the first on, hash the byte {one} and the two hashes, the left one first. The last hash is the root of the tree.':
    'Das Byte {zero} und den Hashwert zusammen mit SHA-256 hashen. Dann für jedes Geschwister, vom ersten an, das Byte {one} und die beiden Hashwerte hashen, den linken zuerst. Der letzte Hashwert ist die Wurzel des Baums.',
  '{command}, with the hash of the block behind it, shows the transaction in that block. The script of its output {index} is the one above, and ends with the root of the tree.':
    '{command} mit dem Hash des Blocks dahinter zeigt die Transaktion in diesem Block. Das Skript ihres Ausgangs {index} ist das obige und endet mit der Wurzel des Baums.',
  'How to check it': 'So wird geprüft',
  'Compute the digest of the file with any program for SHA-256, such as {sha}, and compare all 64 digits with the digest above.':
    'Den Hashwert der Datei mit einem beliebigen Programm für SHA-256 berechnen, etwa {sha}, und alle 64 Ziffern mit dem Hashwert oben vergleichen.',
  'Ask any node of {name}: {getblockhash} gives the hash of the block above, which is then part of its best chain; {getblockheader} with that hash gives its time.':
    'Eine beliebige Node von {name} fragen: {getblockhash} liefert den Hash des Blocks oben, der damit Teil ihrer besten Kette ist; {getblockheader} mit diesem Hash liefert seine Zeit.',
  '{command}, with the hash of the block behind it, shows the transaction in that block. The script of its output {index} is the one above, and ends with the digest.':
    '{command}, mit dem Hash des Blocks dahinter, zeigt die Transaktion in diesem Block. Das Skript ihres Ausgangs {index} ist das oben stehende und endet mit dem Hashwert.',
  'Without a node: open the address above. "Download the proof" there gives a file with the merkle branch from the transaction to the block header, which checks itself without a network.':
    'Ohne Node: die Adresse oben öffnen. „Nachweis herunterladen“ liefert dort eine Datei mit dem Merkle-Pfad von der Transaktion zum Block-Header, die sich ohne Netz selbst prüft.',
  'the transaction': 'Transaktion',
  'The proof holds': 'Der Nachweis stimmt',
  'The proof does not hold': 'Der Nachweis stimmt nicht',
  'checked in this browser': 'in diesem Browser geprüft',
  'This fails:': 'Das schlägt fehl:',
  'Download the proof': 'Nachweis herunterladen',
  'Print the proof': 'Nachweis drucken',
  'One file that checks itself, without a network and without this service.':
    'Eine Datei, die sich selbst prüft, ohne Netz und ohne diesen Dienst.',
  'Check a timestamp': 'Einen Zeitstempel prüfen',
  'files of OpenTimestamps, checked in this browser': 'Dateien von OpenTimestamps, in diesem Browser geprüft',
  'Choose the .ots file': '.ots-Datei auswählen',
  'or drop the .ots file here. It is not sent anywhere.':
    'oder die .ots-Datei hierher ziehen. Sie wird nirgendwohin gesendet.',
  'This file has {bytes}: it is no file of OpenTimestamps.':
    'Diese Datei hat {bytes}: Sie ist keine Datei von OpenTimestamps.',
  '{name} is no file of OpenTimestamps, or it is damaged.':
    '{name} ist keine Datei von OpenTimestamps oder beschädigt.',
  'the headers': 'die Header',
  'Attested by block': 'Bezeugt von Block',
  'Promised by calendars': 'Von Kalendern zugesagt',
  'Attestations of other chains': 'Bezeugungen anderer Ketten',
  'Nothing to check here': 'Hier ist nichts zu prüfen',
  'It has no attestation by a block of this chain.':
    'Sie hat keine Bezeugung durch einen Block dieser Kette.',
  'Check the digest': 'Hashwert prüfen',
  'Choose the timestamped file': 'Gestempelte Datei auswählen',
  'The timestamp does not hold': 'Der Zeitstempel gilt nicht',
  'The timestamp holds': 'Der Zeitstempel gilt',
  'The file existed when this block was made.': 'Die Datei gab es, als dieser Block entstand.',
  'Time in the header': 'Zeit im Header',
  'Headers checked': 'Geprüfte Header',
  'Not checked': 'Nicht geprüft',
  'The {hash} digest of the timestamped file, which you have made yourself':
    'Der selbst gebildete {hash}-Hashwert der gestempelten Datei',
  'The file is not the one that the timestamp is about: its digest is another.':
    'Der Zeitstempel gehört zu einer anderen Datei: Der Hashwert ist ein anderer.',
  'The block of this chain has another merkle root: the timestamp is not of this chain, or false.':
    'Der Block dieser Kette hat eine andere Merkle-Wurzel: Der Zeitstempel ist nicht von dieser Kette oder falsch.',
  'A header carries no proof of work.': 'Ein Header trägt keinen Arbeitsnachweis.',
  'The headers that the service gave do not follow one another.':
    'Die Header, die der Dienst gab, folgen nicht aufeinander.',
  'A header that the service gave is malformed.': 'Ein Header, den der Dienst gab, ist fehlerhaft.',
  'Proof of work of the headers: how this coin proves it was not said, or it is in another chain.':
    'Der Arbeitsnachweis der Header: Wie dieser Coin ihn führt, ist nicht bekannt, oder er steht in einer anderen Kette.',
  'Whether the targets of the headers are those that the rules of the coin ask for.':
    'Ob die Zielwerte der Header die sind, die die Regeln des Coins verlangen.',
  'Whether the block is in the chain that the network follows. Its header is from this service: compare its hash with a source that you trust.':
    'Ob der Block in der Kette steht, der das Netz folgt. Sein Header stammt von diesem Dienst: Der Hash sollte mit einer vertrauenswürdigen Quelle verglichen werden.',
  'Check a file': 'Eine Datei prüfen',
  'Choose the file': 'Datei auswählen',
  'This is the file: it has the digest of this proof.':
    'Das ist die Datei: sie hat den Hashwert dieses Nachweises.',
  'This is another file: its digest is {digest}.': 'Das ist eine andere Datei: ihr Hashwert ist {digest}.',
  'Proofs of existence': 'Zeitstempelnachweise',
  'A proof shows that a file existed before a given block was mined. Only its SHA-256 digest is sent: the file and its name never leave your browser.':
    'Ein Nachweis zeigt, dass eine Datei existierte, bevor ein bestimmter Block geschürft wurde. Gesendet wird nur ihr SHA-256-Hashwert: Datei und Dateiname verlassen nie den Browser.',
  'Choose a file': 'Datei auswählen',
  'A SHA-256 digest has 64 hex digits.': 'Ein SHA-256-Hashwert hat 64 Hex-Ziffern.',
  'Or a digest that you have made yourself (sha256sum)': 'Oder ein selbst berechneter Hashwert (sha256sum)',
  'Look up': 'Nachschlagen',
  'Index status': 'Stand des Index',
  'the index of proofs': 'Index der Nachweise',
  Anchors: 'Verankerungen',
  'Final after': 'Endgültig nach',
  confirmations: 'Bestätigungen',
  'Anchored by this service': 'Von diesem Dienst verankert',
  '{left} of {limit} left today': 'heute noch {left} von {limit}',
  'you get the script for your own wallet': 'es gibt das Skript für die eigene Wallet',
  'the same on every service in sync': 'auf jedem Dienst auf gleichem Stand derselbe',
  'Latest anchors': 'Neueste Verankerungen',
  'the latest anchors': 'neueste Verankerungen',
  anchors: 'Verankerungen',
  'Nothing is anchored yet. The first proof could be yours.':
    'Noch ist nichts verankert. Der erste Nachweis ist noch zu haben.',
  Digest: 'Hashwert',
  'The ids of transaction and block are the hashes of their bytes.':
    'Die IDs von Transaktion und Block sind die Hashes ihrer Bytes.',
  'That block {height} of {coin} is {hash} can be asked of any node: getblockhash {height}.':
    'Dass Block {height} von {coin} der Block {hash} ist, sagt jede Node: getblockhash {height}.',
  'This service does not send transactions of its own.': 'Dieser Dienst sendet keine eigenen Transaktionen.',
  'This service has reached its daily limit of anchors.':
    'Dieser Dienst hat seine Tagesgrenze an Verankerungen erreicht.',
  'Your network has reached its daily limit of anchors at this service.':
    'Dieses Netzwerk hat bei diesem Dienst die Tagesgrenze an Verankerungen erreicht.',
  "This service's own wallet cannot send at the moment.":
    'Die eigene Wallet dieses Dienstes kann gerade nicht senden.',
  'not anchored': 'nicht verankert',
  final: 'endgültig',
  'The transaction can be read, and cannot be taken for an inner node of a merkle tree.':
    'Die Transaktion ist lesbar und kann nicht für einen inneren Knoten eines Merkle-Baums gehalten werden.',
  'The path leads from the digest to the root of a tree of digests.':
    'Der Pfad führt vom Hashwert zur Wurzel eines Baums von Hashwerten.',
  'One of its outputs carries the marker and the root of that tree.':
    'Einer ihrer Ausgänge trägt die Markierung und die Wurzel dieses Baums.',
  Calendar: 'Kalender',
  "leaf {index} of the {size} digests of the calendar's tree":
    'Blatt {index} unter den {size} Hashwerten des Kalenderbaums',
  "of the calendar's tree": 'des Kalenderbaums',
  'taken, waits for its transaction': 'angenommen, wartet auf seine Transaktion',
  'One of its outputs carries the marker and this digest.':
    'Einer ihrer Ausgänge trägt die Markierung und diesen Hashwert.',
  "The merkle branch leads from the transaction to the root in the block's header.":
    'Der Merkle-Pfad führt von der Transaktion zur Wurzel im Header des Blocks.',
};
