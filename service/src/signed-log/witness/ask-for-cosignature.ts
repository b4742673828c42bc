import { writeHeadText } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { findCosignature, witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import { parseSignatureLines } from '@coinfront/protocol/signed-log/note.ts';
import { writeWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import { findHead } from '../log-store.ts';
import type { SignedLogQuery, SignedLogTables } from '../log-tables.ts';
import { proveGrowth } from '../prove.ts';
import type { PeerContext } from './witness-peer.ts';

const WITNESS_PATH = '/api/nodeproof/witness';
const WHAT_TO_DO = 'Was the database put back from before? docs/nodes.md says what to do.';

/** Has a peer cosign the newest checkpoint of this service's log of a kind, unless it has. */
export async function askForCosignature(context: PeerContext & { peerKey: string }): Promise<void> {
  const { precious, client, peerKey, findOrigin, ownDoubts } = context;
  const { kind, peer } = context.log;
  const db = precious.query<SignedLogTables>();
  const origin = await findOrigin(kind);
  const head = origin === undefined ? undefined : await findHead(db, origin);
  if (origin === undefined || head === undefined) return;
  const known = await findCosignedSize(db, origin, peerKey);
  if (known === head.size) return;
  const submit = async (oldSize: number) => {
    const path = await proveGrowth(db, origin, oldSize, head.size);
    const body = writeWitnessRequest({ oldSize, path, note: head.note });
    return await client.post(`${peer}${WITNESS_PATH}/add-checkpoint`, body);
  };
  let answer = await submit(known);
  if (answer.status === 409) {
    // It has another than was thought: after this service was put back, or by its own look.
    const size = /^(?:0|[1-9][0-9]{0,15})\n$/.test(answer.text) ? Number(answer.text) : Number.NaN;
    if (size > head.size)
      return ownDoubts.alarm(
        'own_longer',
        `${peer} has cosigned a longer log (${kind}) of this service: ${size} entries. ${WHAT_TO_DO}`,
      );
    if (!(size >= 0)) throw new Error('the peer answers in another form');
    answer = await submit(size);
  }
  const isOther = answer.status === 409 && answer.text === `${head.size}\n`;
  if (answer.status === 422 || isOther)
    return ownDoubts.alarm(
      'own_other',
      `${peer} has cosigned another log (${kind}) of this service. ${WHAT_TO_DO}`,
    );
  if (answer.status !== 200) return;
  const lines = parseSignatureLines(answer.text);
  const name = witnessName(peerKey);
  const time = lines.ok
    ? findCosignature(writeHeadText(head), lines.value, { name, publicKey: peerKey })
    : undefined;
  if (time === undefined) throw new Error('the peer has not cosigned what it says');
  ownDoubts.settle();
  const [line] = answer.text.split('\n').filter((each) => each.startsWith(`\u2014 ${name} `));
  await db
    .insertInto('signed_log_cosignature')
    .values({ origin, size: head.size, witness: peerKey, line: `${line}\n`, cosigned_at: time })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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
