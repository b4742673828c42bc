import { openCheckpoint, parseHeadText, writeHeadText } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { readEntryBundle, writeEntryBundle } from '@coinfront/protocol/signed-log/entry-bundle.ts';
import { parseNote, parseSignatureLines, parseVerifierKey } from '@coinfront/protocol/signed-log/note.ts';
import { parseTilePath, writeTilePath } from '@coinfront/protocol/signed-log/tiles.ts';
import { parseWitnessRequest, writeWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import { parseLoggedHead, writeLoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import vectors from '../../docs/protocols/vectors/signed-log.json' with { type: 'json' };
import treasury from '../../docs/protocols/vectors/treasury.json' with { type: 'json' };
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const { origin, witness, checkpoints } = vectors;
const publicKey = origin.slice(-64);

/** What logs and witnesses send one another. */
export const signedLogTarget: FuzzTarget = {
  name: 'signed-log',
  reads: 'signed notes, checkpoints, requests to witnesses, paths and entries of tiles, heads of ledgers',
  form: 'text',
  maxBytes: 4_000,
  seeds: [
    ...checkpoints.map(({ note }) => note),
    checkpoints[1]!.note + witness.signature_line,
    witness.request,
    witness.signature_line,
    witness.verifier_key,
    ...vectors.tiles.map(({ path }) => path),
    ...treasury.log.entries,
    '\u0000\u0003abc\u0000\u0000',
  ].map(utf8),
  words: ['\n', '\n\n', '\u2014 ', 'old ', '+', '=', '.p/', 'x000/', '0', '9007199254740993', '\u2028'],
  check(input) {
    const text = toText(input);
    const opened = openCheckpoint(text, { origin, publicKey });
    demand(
      !opened.ok || checkpoints.some(({ size }) => size === opened.checkpoint.size),
      'nobody else signs',
    );
    const note = parseNote(text);
    const head = note.ok ? parseHeadText(note.value.text) : undefined;
    if (note.ok && head?.ok && note.value.text.split('\n').length === 4)
      demand(writeHeadText(head.value) === note.value.text, 'a head is written as it was read');
    const request = parseWitnessRequest(text);
    if (request.ok)
      demand(writeWitnessRequest(request.value) === text, 'a request is written as it was read');
    const tile = parseTilePath(text);
    if (tile !== undefined) demand(writeTilePath(tile) === text, 'a tile has one path');
    const bundle = readEntryBundle(input);
    if (bundle.ok)
      demand(Buffer.from(writeEntryBundle(bundle.value)).equals(input), 'a bundle is written as it was read');
    const logged = parseLoggedHead(text);
    if (logged.ok) demand(writeLoggedHead(logged.value) === text, 'a head of a ledger has one text');
    parseSignatureLines(text);
    parseVerifierKey(text);
  },
  growing: {
    signatures: (bytes) =>
      utf8(`${checkpoints[0]!.note}${witness.signature_line.repeat(Math.ceil(bytes / 150))}`),
    'a proof': (bytes) => utf8(`old 1\n${`${'A'.repeat(43)}=\n`.repeat(Math.ceil(bytes / 45))}\nnote\n`),
    'empty lines': (bytes) => utf8(`a${'\n'.repeat(bytes)}`),
    entries: (bytes) => new Uint8Array(bytes),
  },
};
