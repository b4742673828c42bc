/** What the operator's commands do with descriptions of tokens that await review. */

import { writeFileSync } from 'node:fs';
import type { TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Precious } from '../db/precious.ts';
import type { MetadataSubmissionTable, MetadataTables } from '../parts/tokens/metadata/metadata-tables.ts';
import {
  approveSubmission,
  findSubmission,
  findSubmittedLogo,
  listPending,
  rejectSubmission,
  withdrawMetadata,
} from '../parts/tokens/metadata/submission-store.ts';

/** A command about descriptions of tokens. */
export type TokenCommand =
  | { kind: 'review-list' }
  | { kind: 'review-show'; id: string; logoFile: string | null }
  | { kind: 'review-approve'; id: string }
  | { kind: 'review-reject'; id: string; reason: string }
  | { kind: 'withdraw'; tokenId: string; reason: string };

type Outcome = Result<{ lines: readonly string[]; json: object }>;
type Context = { precious: Precious; now: () => number };

/** Submissions that a list shows. */
const SHOWN = 100;

/** Runs a command; a reason says why it could not be done. */
export async function runTokenCommand(context: Context, command: TokenCommand): Promise<Outcome> {
  switch (command.kind) {
    case 'review-list':
      return list(await listPending(context.precious.query<MetadataTables>(), SHOWN));
    case 'review-show':
      return await show(context, command.id, command.logoFile);
    case 'review-approve':
      return await decide(context, command.id, 'approved', (id) =>
        approveSubmission(context.precious, id, context.now()),
      );
    case 'review-reject':
      return await decide(context, command.id, 'rejected', (id) =>
        rejectSubmission(context.precious, id, command.reason, context.now()),
      );
    case 'withdraw':
      return await withdraw(context, command.tokenId, command.reason);
  }
}

function list(rows: readonly MetadataSubmissionTable[]): Outcome {
  const items = rows.map((row) => ({
    id: row.id,
    token_id: row.token_id,
    name: readMetadata(row).name,
    submitted_at: writeTime(row.submitted_at),
  }));
  const lines = items.map(
    ({ id, token_id, name, submitted_at }) => `${id}  ${submitted_at}  ${token_id}  ${JSON.stringify(name)}`,
  );
  return ok({ lines: lines.length > 0 ? lines : ['Nothing awaits review.'], json: { items } });
}

async function show({ precious }: Context, id: string, logoFile: string | null): Promise<Outcome> {
  const query = precious.query<MetadataTables>();
  const row = await findSubmission(query, id);
  if (row === undefined) return notFound(id);
  const logo = await findSubmittedLogo(query, id);
  if (logoFile !== null) {
    if (logo === undefined) return fail('This submission has no logo.');
    // Never over a file that is there.
    writeFileSync(logoFile, logo.png, { flag: 'wx' });
  }
  const metadata = readMetadata(row);
  const shownLogo =
    logo === undefined
      ? null
      : { sha256: logo.sha256, width: Number(logo.width), height: Number(logo.height), file: logoFile };
  return ok({
    lines: [
      `Submission   ${id}, ${row.state}, of ${writeTime(row.submitted_at)}`,
      `Token        ${row.token_id}`,
      `Signed by    ${row.issuer}, its issuer`,
      `Name         ${JSON.stringify(metadata.name)}`,
      `Description  ${JSON.stringify(metadata.description)}`,
      `Website      ${metadata.website ?? 'none'}`,
      ...metadata.links.map(({ label, url }) => `Link         ${JSON.stringify(label)} ${url}`),
      `Logo         ${shownLogo === null ? 'none' : `${shownLogo.width} x ${shownLogo.height}, SHA-256 ${shownLogo.sha256}${logoFile === null ? '; --logo <file> writes it' : `, written to ${logoFile}`}`}`,
      ...(row.reason === null ? [] : [`Reason       ${JSON.stringify(row.reason)}`]),
    ],
    json: {
      id,
      token_id: row.token_id,
      issuer: row.issuer,
      state: row.state,
      metadata,
      logo: shownLogo,
      message: row.message,
      signature: row.signature,
      submitted_at: writeTime(row.submitted_at),
      decided_at: row.decided_at === null ? null : writeTime(row.decided_at),
      reason: row.reason,
    },
  });
}

async function decide(
  { precious }: Context,
  id: string,
  state: 'approved' | 'rejected',
  run: (id: string) => Promise<boolean>,
): Promise<Outcome> {
  if (await run(id))
    return ok({
      lines: [state === 'approved' ? `${id} is approved, and shown with its token.` : `${id} is rejected.`],
      json: { id, state },
    });
  const row = await findSubmission(precious.query<MetadataTables>(), id);
  return row === undefined ? notFound(id) : fail(`${id} was decided already: it is ${row.state}.`);
}

async function withdraw({ precious, now }: Context, tokenId: string, reason: string): Promise<Outcome> {
  if (!(await withdrawMetadata(precious, tokenId.toLowerCase(), reason, now())))
    return fail('Nothing is shown of this token.');
  return ok({
    lines: ['Nothing is shown of this token any more.'],
    json: { token_id: tokenId.toLowerCase() },
  });
}

function readMetadata({ metadata }: MetadataSubmissionTable): TokenMetadataJson {
  return JSON.parse(metadata) as TokenMetadataJson;
}

function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}

function notFound(id: string): Outcome {
  return fail(`There is no submission ${JSON.stringify(id)}; "tokens review list" names those that wait.`);
}
