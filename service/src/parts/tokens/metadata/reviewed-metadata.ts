import type { ReviewedMetadataJson, TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import type { Precious } from '../../../db/precious.ts';
import type { MetadataTables } from './metadata-tables.ts';

/** Tokens that are looked up in one statement. */
const BITE = 500;

/** Finds what is shown of tokens, by the hex of their ids: nothing that no person has approved. */
export type FindReviewedMetadata = (
  tokenIds: readonly string[],
) => Promise<Map<string, ReviewedMetadataJson>>;

/** Creates the look-up. Whether a token is there is for the caller to know: what a reorganisation undid has none. */
export function createFindReviewedMetadata(precious: Precious): FindReviewedMetadata {
  return async (tokenIds) => {
    const found = new Map<string, ReviewedMetadataJson>();
    for (let from = 0; from < tokenIds.length; from += BITE) {
      for (const row of await listShown(precious, tokenIds.slice(from, from + BITE))) {
        const { logo_sha256: sha256, logo_width: width, logo_height: height } = row;
        found.set(row.token_id, {
          ...(JSON.parse(row.metadata) as TokenMetadataJson),
          logo:
            sha256 === null || width === null || height === null
              ? null
              : {
                  path: logoPath(row.token_id, sha256),
                  sha256,
                  width: Number(width),
                  height: Number(height),
                },
          metadata_sha256: row.metadata_sha256,
          approved_at: new Date(Number(row.approved_at)).toISOString(),
        });
      }
    }
    return found;
  };
}

async function listShown(precious: Precious, tokenIds: readonly string[]) {
  return await precious
    .query<MetadataTables>()
    .selectFrom('token_metadata')
    .innerJoin('metadata_submission', 'metadata_submission.id', 'token_metadata.submission_id')
    .leftJoin('metadata_logo', 'metadata_logo.submission_id', 'token_metadata.submission_id')
    .where('token_metadata.token_id', 'in', tokenIds)
    .where('metadata_submission.state', '=', 'approved')
    .select([
      'token_metadata.token_id',
      'token_metadata.approved_at',
      'metadata_submission.metadata',
      'metadata_submission.metadata_sha256',
      'metadata_logo.sha256 as logo_sha256',
      'metadata_logo.width as logo_width',
      'metadata_logo.height as logo_height',
    ])
    .execute();
}

/** The logo that is shown of a token; undefined when there is none, or the one that is there is another. */
export async function findReviewedLogo(
  precious: Precious,
  tokenId: string,
): Promise<{ png: Buffer; sha256: string } | undefined> {
  const row = await precious
    .query<MetadataTables>()
    .selectFrom('token_metadata')
    .innerJoin('metadata_submission', 'metadata_submission.id', 'token_metadata.submission_id')
    .innerJoin('metadata_logo', 'metadata_logo.submission_id', 'token_metadata.submission_id')
    .where('token_metadata.token_id', '=', tokenId)
    .where('metadata_submission.state', '=', 'approved')
    .select(['metadata_logo.png', 'metadata_logo.sha256'])
    .executeTakeFirst();
  return row && { png: Buffer.from(row.png), sha256: row.sha256 };
}

function logoPath(tokenId: string, sha256: string): string {
  return `/api/v1/tokens/${tokenId}/logo?sha256=${sha256}`;
}
