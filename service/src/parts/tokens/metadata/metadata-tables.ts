/** Tables of descriptions and logos of tokens: precious, since nothing of it is in the chain. */

import type { SubmissionState } from '@coinfront/api/token-metadata.ts';
import { type Kysely, sql } from 'kysely';
import type { Migrations, Query } from '../../../db/precious.ts';

/** A text that an issuer was asked to sign. Times are Unix milliseconds, hashes and ids hex. */
export type MetadataChallengeTable = {
  nonce: string;
  token_id: string;
  issuer: string;
  /** Who asked, and the /56 and /48 around it where there is one, by names of the day (`clients/client-names.ts`). */
  client: string;
  client_56: string | null;
  client_48: string | null;
  metadata_sha256: string;
  logo_sha256: string | null;
  issued_at: number;
  expires_at: number;
  /** When it was answered: a challenge is good once. */
  used_at: number | null;
};

/** What an issuer has signed, with its signature: whoever reviews can check it again. */
export type MetadataSubmissionTable = {
  id: string;
  token_id: string;
  issuer: string;
  state: SubmissionState;
  /** As RFC 8785 writes them. */
  metadata: string;
  metadata_sha256: string;
  /** Of the file that was sent. */
  logo_sha256: string | null;
  message: string;
  signature: string;
  submitted_at: number;
  decided_at: number | null;
  reason: string | null;
};

/** A logo, made anew from the pixels of what was sent. */
export type MetadataLogoTable = {
  submission_id: string;
  png: Uint8Array;
  /** Of the PNG. */
  sha256: string;
  width: number;
  height: number;
};

/** Which submission is shown with a token. */
export type TokenMetadataTable = { token_id: string; submission_id: string; approved_at: number };

export type MetadataTables = {
  metadata_challenge: MetadataChallengeTable;
  metadata_submission: MetadataSubmissionTable;
  metadata_logo: MetadataLogoTable;
  token_metadata: TokenMetadataTable;
};
export type MetadataQuery = Query<MetadataTables>;

/** The schema; both engines take the same text (SQLite keeps bytes as they are in a column of any type). */
export const tokenMetadataMigrations: Migrations = {
  '0003_token_metadata': async (db: Kysely<unknown>) => {
    for (const text of firstSchema) await sql.raw(text).execute(db);
  },
  '0018_token_metadata_clients': async (db: Kysely<unknown>) => {
    for (const text of clientSchema) await sql.raw(text).execute(db);
  },
};

const firstSchema = [
  `create table metadata_challenge (
    nonce text primary key, token_id text not null, issuer text not null, client text not null,
    metadata_sha256 text not null, logo_sha256 text, issued_at bigint not null, expires_at bigint not null,
    used_at bigint)`,
  'create index metadata_challenge_open on metadata_challenge (token_id, client) where used_at is null',
  'create index metadata_challenge_client on metadata_challenge (client) where used_at is null',
  'create index metadata_challenge_age on metadata_challenge (expires_at)',
  `create table metadata_submission (
    id text primary key, token_id text not null, issuer text not null, state text not null, metadata text not null,
    metadata_sha256 text not null, logo_sha256 text, message text not null, signature text not null,
    submitted_at bigint not null, decided_at bigint, reason text)`,
  `create index metadata_submission_pending on metadata_submission (token_id) where state = 'pending'`,
  'create index metadata_submission_list on metadata_submission (submitted_at, id)',
  `create table metadata_logo (
    submission_id text primary key references metadata_submission (id), png bytea not null, sha256 text not null,
    width bigint not null, height bigint not null)`,
  `create table token_metadata (
    token_id text primary key, submission_id text not null references metadata_submission (id),
    approved_at bigint not null)`,
];

const clientSchema = [
  'alter table metadata_challenge add column client_56 text',
  'alter table metadata_challenge add column client_48 text',
  // What is there was hashed without a key.
  "update metadata_challenge set client = ''",
  'create index metadata_challenge_56 on metadata_challenge (client_56) where used_at is null',
  'create index metadata_challenge_48 on metadata_challenge (client_48) where used_at is null',
];
