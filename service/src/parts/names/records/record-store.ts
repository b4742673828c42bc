import type { Precious } from '../../../db/precious.ts';
import type { NameDocumentTables } from './record-tables.ts';

/** Documents of one name that are kept: the newest. An earlier one comes back when blocks are undone. */
export const keptDocuments = 4;

/** The document of a name with this hash, hex; undefined where it is not kept here. */
export async function findDocument(
  precious: Precious,
  name: string,
  hash: string,
): Promise<string | undefined> {
  const row = await precious
    .query<NameDocumentTables>()
    .selectFrom('name_document')
    .select('document')
    .where('name', '=', name)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.document;
}

/** Keeps a document of a name, and forgets those that are too many. */
export async function keepDocument(
  precious: Precious,
  row: { name: string; hash: string; document: string },
  nowMs: number,
): Promise<void> {
  await precious.transaction<NameDocumentTables, void>(async (trx) => {
    const ofName = trx.selectFrom('name_document').where('name', '=', row.name);
    const newest = await ofName.select(({ fn }) => fn.max('stored_at').as('at')).executeTakeFirst();
    // A clock that was set back does not make what comes now the oldest.
    const stored_at = Math.max(nowMs, Number(newest?.at ?? 0) + 1);
    await trx
      .insertInto('name_document')
      .values({ ...row, stored_at })
      .onConflict((conflict) => conflict.columns(['name', 'hash']).doUpdateSet({ stored_at }))
      .execute();
    const old = await ofName
      .select('hash')
      .orderBy('stored_at', 'desc')
      .offset(keptDocuments)
      .limit(keptDocuments)
      .execute();
    if (old.length === 0) return;
    const hashes = old.map(({ hash }) => hash);
    await trx.deleteFrom('name_document').where('name', '=', row.name).where('hash', 'in', hashes).execute();
  });
}
