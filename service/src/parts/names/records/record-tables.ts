/** Documents of text records: on the chain is their hash alone, so nothing there gives them again. */

import { type Kysely, sql } from 'kysely';
import type { Migrations, Query } from '../../../db/precious.ts';

/** A document that a name had, or has. */
export type NameDocumentTable = {
  name: string;
  /** SHA-256 of the document, hex. */
  hash: string;
  document: string;
  /** Unix milliseconds. */
  stored_at: number;
};

export type NameDocumentTables = { name_document: NameDocumentTable };
export type NameDocumentQuery = Query<NameDocumentTables>;

/** The schema. */
export const nameDocumentMigrations: Migrations = {
  '0034_name_documents': async (db: Kysely<unknown>) => {
    await sql
      .raw(`create table name_document (
        name text not null, hash text not null, document text not null, stored_at bigint not null,
        primary key (name, hash))`)
      .execute(db);
  },
};
