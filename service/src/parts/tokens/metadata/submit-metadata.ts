import { randomBytes } from 'node:crypto';
import { type MetadataSubmissionBody, metadataLimits } from '@coinfront/api/token-metadata.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import type { Static } from 'typebox';
import type { NamedClient } from '../../../clients/client-names.ts';
import type { ClientQuery, ClientTables } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import { AppError } from '../../../errors.ts';
import { findChallenge, useChallenge } from './challenge-store.ts';
import { getCanonical, getIssuer, sha256Hex, writeChallenge } from './claim.ts';
import { getToken, lockBounds, type TokenMetadataContext } from './metadata-context.ts';
import type { MetadataChallengeTable, MetadataSubmissionTable, MetadataTables } from './metadata-tables.ts';
import { LogoQueueFullError, type RenderedLogo, type RenderLogo } from './render-logo.ts';
import { addSubmission, type ReviewBounds } from './submission-store.ts';

/** Submissions that may await review. */
export const reviewBounds: ReviewBounds = { token: 3, all: 1_000 };
/** Submissions of one client a day (UTC): tokens are cheap to make, and whoever reviews has one queue. */
export const submissionsPerClient = 20;

/** None of the networks around a client submits more a day than this part of what may wait. */
const PART_OF_NETWORK = 10;

type Body = Static<typeof MetadataSubmissionBody>;

/**
 * Takes up what an issuer has signed, for review.
 *
 * Nothing of the logo is decoded before the signature is known to be the issuer's, and the challenge is used up with the
 * commit that stores the submission: who fails on the way can try again with the same challenge.
 *
 * @param address of the client that sends it
 * @throws AppError one of the refusals of the operation
 */
export async function submitMetadata(
  context: TokenMetadataContext,
  renderLogo: RenderLogo,
  tokenId: string,
  body: Body,
  address: string,
): Promise<MetadataSubmissionTable> {
  const { precious, profile, now } = context;
  const { issuerScript } = await getToken(context, tokenId);
  const challenge = await findChallenge(precious.query<MetadataTables>(), tokenId, body.nonce);
  if (challenge === undefined) {
    const detail = 'This token has no challenge with this nonce; ask for one, and sign its message.';
    throw new AppError('challenge_not_found', detail);
  }
  checkOpen(challenge, now());
  const canonical = getCanonical(body.metadata);
  if (canonical.sha256 !== challenge.metadata_sha256) throw mismatch('The metadata are');
  const file = body.logo === null ? undefined : readBase64(body.logo);
  if ((file && sha256Hex(file)) !== (challenge.logo_sha256 ?? undefined)) throw mismatch('The logo is');

  // The issuer is the token's, as the chain has it now; the challenge was made for the same one.
  const issuer = getIssuer(issuerScript, context);
  const message = writeChallenge({ ...challenge, issuer }, context);
  const verdict = verifySignedMessage(issuer, message, body.signature, profile);
  if (!verdict.ok) {
    const detail = `The signature is not one of ${issuer} for the message of the challenge: ${verdict.reason}.`;
    throw new AppError('signature_invalid', detail);
  }
  const logo = file && (await renderOrRefuse(renderLogo, file));

  const nowMs = now();
  const row: MetadataSubmissionTable = {
    id: `tms_${randomBytes(16).toString('base64url')}`,
    token_id: tokenId,
    issuer,
    state: 'pending',
    metadata: canonical.text,
    metadata_sha256: canonical.sha256,
    logo_sha256: challenge.logo_sha256,
    message,
    signature: body.signature,
    submitted_at: nowMs,
    decided_at: null,
    reason: null,
  };
  const client = await context.nameClient(address, nowMs);
  await precious.transaction<MetadataTables & ClientTables, void>(async (trx) => {
    await lockBounds(trx, precious.engine);
    await countSubmission(trx, context, client, nowMs);
    if (!(await useChallenge(trx, challenge.nonce, nowMs))) {
      checkOpen(challenge, nowMs);
      throw usedUp();
    }
    const reached = await addSubmission(trx, row, logo, reviewBounds);
    if (reached === undefined) return;
    const detail =
      reached === 'token'
        ? `${reviewBounds.token} submissions for this token await review already; the challenge stays good.`
        : 'Too many submissions await review already; the challenge stays good.';
    throw new AppError('review_queue_full', detail);
  });
  return row;
}

/** @throws AppError `review_queue_full` */
async function countSubmission(
  trx: ClientQuery,
  { submissionsPerClient: ofClient }: TokenMetadataContext,
  client: NamedClient,
  nowMs: number,
): Promise<void> {
  if (ofClient === undefined) return;
  const share = { ofClient, ofNetwork: reviewBounds.all / PART_OF_NETWORK };
  if ((await takeDailyShare(trx, 'submission', client, share, nowMs)) === undefined) return;
  const detail = `A client submits ${ofClient} descriptions a day (UTC), and its network its share of that; the challenge stays good.`;
  throw new AppError('review_queue_full', detail);
}

function checkOpen(challenge: MetadataChallengeTable, nowMs: number): void {
  if (challenge.used_at !== null) throw usedUp();
  if (challenge.expires_at > nowMs) return;
  const at = new Date(challenge.expires_at).toISOString();
  throw new AppError('challenge_expired', `The challenge expired at ${at}; ask for a new one.`);
}

function usedUp(): AppError {
  return new AppError('challenge_used', 'The challenge was used for a submission; ask for a new one.');
}

function mismatch(what: string): AppError {
  const detail = `${what} not what the challenge was made for; send exactly that, or ask for a new challenge.`;
  return new AppError('metadata_mismatch', detail);
}

/** Strict base64 (RFC 4648, section 4): what differs as text differs as bytes. */
function readBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw new AppError('logo_invalid', 'The logo is no base64 (RFC 4648).');
  if (bytes.length > metadataLimits.logoBytes) {
    const detail = `The logo has ${bytes.length} bytes; ${metadataLimits.logoBytes} are accepted.`;
    throw new AppError('logo_invalid', detail);
  }
  return bytes;
}

async function renderOrRefuse(renderLogo: RenderLogo, file: Buffer): Promise<RenderedLogo> {
  const rendered = await renderLogo(file).catch((error) => {
    if (!(error instanceof LogoQueueFullError)) throw error;
    throw new AppError('overloaded', 'Other logos are being read; try again.', { 'retry-after': '5' });
  });
  if (!rendered.ok) throw new AppError('logo_invalid', `The logo ${rendered.reason}.`);
  return rendered.value;
}
