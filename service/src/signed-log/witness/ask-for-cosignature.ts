import { findOriginKey, type LogKind, writeHeadText } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { findCosignature } from '@coinfront/protocol/signed-log/cosignature.ts';
import { type NoteKey, parseSignatureLines, writeVerifierKey } from '@coinfront/protocol/signed-log/note.ts';
import { writeWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import { findHead } from '../log-store.ts';
import type { SignedLogQuery, SignedLogTables } from '../log-tables.ts';
import { proveGrowth } from '../prove.ts';
import type { FollowWitnessesOptions } from './follow-peers.ts';
import type { PeerDoubts } from './peer-doubts.ts';

/** Who is asked to cosign: what it is called in alarms, its key, and where checkpoints are brought to it. */
export type Witness = {
  label: string;
  key: Pick<NoteKey, 'name' | 'publicKey'>;
  url: string;
  /** Whether it was told by its operator of the logs that it cosigns, as witnesses are that are no services of a coin. */
  isTold: boolean;
};

export type AskOptions = Pick<FollowWitnessesOptions, 'precious' | 'client' | 'findOrigin'> & {
  kind: LogKind;
  witness: Witness;
  doubts: PeerDoubts;
};

/** Of an answer, that are looked at. */
const MOST_LINES = 64;
const WHAT_TO_DO = 'Was the database put back from before? docs/nodes.md says what to do.';

/** Has a witness cosign the newest checkpoint of this service's log of a kind, unless it has. */
export async function askForCosignature(options: AskOptions): Promise<void> {
  const { precious, client, kind, witness, findOrigin, doubts } = options;
  const { label, key, url, isTold } = witness;
  const db = precious.query<SignedLogTables>();
  const origin = await findOrigin(kind);
  const head = origin === undefined ? undefined : await findHead(db, origin);
  if (origin === undefined || head === undefined) return;
  const known = await findCosignedSize(db, origin, key.publicKey);
  if (known === head.size) return;
  const submit = async (oldSize: number) => {
    const path = await proveGrowth(db, origin, oldSize, head.size);
    const body = writeWitnessRequest({ oldSize, path, note: head.note });
    return await client.post(`${url}/add-checkpoint`, body);
  };
  let answer = await submit(known);
  if (answer.status === 409) {
    // It has another than was thought: after this service was put back, or by its own look.
    const size = /^(?:0|[1-9][0-9]{0,15})\n$/.test(answer.text) ? Number(answer.text) : Number.NaN;
    if (size > head.size)
      return doubts.alarm(
        'own_longer',
        `${label} has cosigned a longer log (${kind}) of this service: ${size} entries. ${WHAT_TO_DO}`,
      );
    if (!(size >= 0)) throw new Error('the witness answers in another form');
    answer = await submit(size);
  }
  const isOther = answer.status === 409 && answer.text === `${head.size}\n`;
  if (answer.status === 422 || isOther)
    return doubts.alarm(
      'own_other',
      `${label} has cosigned another log (${kind}) of this service. ${WHAT_TO_DO}`,
    );
  if (isTold && (answer.status === 404 || answer.status === 403) && doubts.persists('not_known'))
    doubts.alarm(
      'not_known',
      `${label} does not cosign the log (${kind}) of this service (${answer.status}). Tell its operator this key: ${describeLogKey(origin)}`,
    );
  if (answer.status !== 200) return;
  const cosigned = findCosignedLine(answer.text, writeHeadText(head), key);
  if (cosigned === undefined) throw new Error('the witness has not cosigned what it says');
  doubts.settle();
  const { line, time } = cosigned;
  await db
    .insertInto('signed_log_cosignature')
    .values({ origin, size: head.size, witness: key.publicKey, line, cosigned_at: time })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The line of an answer that is a cosignature of this key: a witness may sign by several. */
function findCosignedLine(
  answer: string,
  headText: string,
  key: Witness['key'],
): { line: string; time: number } | undefined {
  for (const each of answer.split('\n', MOST_LINES)) {
    const line = `${each}\n`;
    const parsed = parseSignatureLines(line);
    const time = parsed.ok ? findCosignature(headText, parsed.value, key) : undefined;
    if (time !== undefined) return { line, time };
  }
  return undefined;
}

/** The verifier key of a log, which a witness is told. */
function describeLogKey(origin: string): string {
  return writeVerifierKey({ name: origin, type: 'ed25519', publicKey: findOriginKey(origin) ?? '' });
}

async function findCosignedSize(db: SignedLogQuery, origin: string, witness: string): Promise<number> {
  const row = await db
    .selectFrom('signed_log_cosignature')
    .select(({ fn }) => fn.max<number | null>('size').as('size'))
    .where('origin', '=', origin)
    .where('witness', '=', witness)
    .executeTakeFirst();
  return Number(row?.size ?? 0);
}

/** The lines of witnesses below a checkpoint. */
export async function listCosignatures(
  db: SignedLogQuery,
  { origin, size }: { origin: string; size: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('signed_log_cosignature')
    .select('line')
    .where('origin', '=', origin)
    .where('size', '=', size)
    .orderBy('witness')
    .execute();
  return rows.map(({ line }) => line);
}
