import { concat, fromHex, sha256, toHex } from './bytes.ts';
import { expectSame } from './difference.ts';
import { verifyEd25519 } from './ed25519.ts';
import { findLogRoot } from './signed-log.ts';

const ED25519 = 1;
const KEY_ID_BYTES = 4;

export type Known = {
  readonly kind: 'node-registry' | 'treasury-ledger';
  readonly key: string;
  readonly entries: readonly Uint8Array[];
  readonly height: number;
};
/** Of a signed note, with the lines of witnesses: `docs/protocols/signed-log.md`. */
export const NOTE_BYTES = 131_072;

/** The entries that a checkpoint says it has; nothing of it is checked. */
export function readSize(note: string): number {
  return Number(note.split('\n', 2)[1]);
}

/**
 * Checks a checkpoint of a log against the entries that it has: `docs/protocols/signed-log.md`. Lines of witnesses are not looked at.
 *
 * @param known - the kind of log; the key that signs it, in hex; its entries; the height that is told of with a difference
 * @throws Difference
 */
export function checkCheckpoint(note: string, { kind, key, entries, height }: Known): void {
  const same = (what: string, ours: string | boolean, theirs: string | boolean): void =>
    expectSame(height, `${what} of the checkpoint of the log ${kind}`, ours, theirs);
  const [body = '', lines = ''] = note.split('\n\n');
  const [origin, size, root, ...more] = body.split('\n');
  const name = `${kind}/${key}`;
  same('origin', name, origin ?? '');
  same('form', true, more.length === 0 && /^(0|[1-9]\d{0,15})$/.test(size ?? ''));
  same('whether the entries are there', true, Number(size) <= entries.length);
  same(
    'root',
    findLogRoot(entries.slice(0, Number(size))),
    Buffer.from(root ?? '', 'base64').toString('hex'),
  );
  const signed = lines.split('\n').find((line) => line.startsWith(`\u2014 ${name} `));
  const bytes = new Uint8Array(Buffer.from(signed?.split(' ')[2] ?? '', 'base64'));
  const keyId = sha256(Buffer.from(`${name}\n`), concat(Uint8Array.of(ED25519), fromHex(key))).subarray(
    0,
    KEY_ID_BYTES,
  );
  same('key id', toHex(keyId), toHex(bytes.subarray(0, KEY_ID_BYTES)));
  const isGood = verifyEd25519(fromHex(key), Buffer.from(`${body}\n`), bytes.subarray(KEY_ID_BYTES));
  same('whether the signature is that of the key', true, isGood);
}
