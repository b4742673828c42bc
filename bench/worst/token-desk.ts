import { createHash, randomBytes } from 'node:crypto';
import { metadataLimits } from '@coinfront/api/token-metadata.ts';
import { signBip322, singleKeyLock } from '@coinfront/protocol/testing/message-signer.ts';
import sharp from 'sharp';
import type { MetadataTables } from '../../service/src/parts/tokens/metadata/metadata-tables.ts';
import {
  approveSubmission,
  rejectSubmission,
} from '../../service/src/parts/tokens/metadata/submission-store.ts';
import type { ServiceStorage } from '../service-process.ts';
import { withPrecious } from './beside.ts';
import type { FreshOfRoutes } from './list-requests.ts';
import type { Operations } from './protocol-blocks.ts';
import type { ServiceClient } from './service-client.ts';

/** A reviewed submission of the first token, its logo as it is shown, and what submissions use up. */
export type TokenDesk = { submissionId: string; logoSha256: string; fresh: FreshOfRoutes };

const metadata = {
  name: 'W'.repeat(metadataLimits.name),
  description: 'A description as long as one may be. '.repeat(10).trim(),
  website: 'https://worst.example/',
  links: Array.from({ length: metadataLimits.links }, (_, i) => ({
    label: `Link ${i}`,
    url: `https://worst.example/${i}`,
  })),
};

/** Describes every token, with a logo, as its issuer and the operator do; the service has to have a name of its own. */
export async function openTokenDesk(
  client: ServiceClient,
  storage: ServiceStorage,
  { owner, tokenIds }: Operations,
): Promise<TokenDesk> {
  const logo = await makeLogo();
  const lock = singleKeyLock(owner.privateKey, 'p2wpkh');
  const logo_sha256 = createHash('sha256').update(logo).digest('hex');
  const pathOf = (tokenId: string) => `/api/v1/tokens/${tokenId}/metadata`;
  const sign = async (tokenId: string): Promise<object> => {
    const { nonce, message } = await client.send('POST', `${pathOf(tokenId)}/challenge`, {
      metadata,
      logo_sha256,
    });
    const signature = signBip322(lock, message, { form: 'simple' });
    return { nonce, signature, metadata, logo: logo.toString('base64') };
  };
  const submissionIds: string[] = [];
  for (const tokenId of tokenIds) {
    const { id } = await client.send('POST', `${pathOf(tokenId)}/submissions`, await sign(tokenId));
    submissionIds.push(id);
  }
  await withPrecious(storage, async (precious) => {
    for (const id of submissionIds) await approveSubmission(precious, id, Date.now());
  });
  const { token } = await client.send('GET', `/api/v1/tokens/${tokenIds[0]}`);

  let next = 0;
  return {
    submissionId: submissionIds[0]!,
    logoSha256: token.metadata.logo.sha256,
    fresh: {
      'POST /api/v1/tokens/{token_id}/metadata/submissions': [
        {
          name: 'a signed description',
          async make() {
            const token_id = tokenIds[next++ % tokenIds.length]!;
            // Only a few of a token wait for their review.
            await rejectPending(storage, token_id);
            return { values: { token_id }, body: await sign(token_id) };
          },
        },
      ],
    },
  };
}

/** Noise, since it is compressed least; of as many pixels as its bytes are enough for. */
async function makeLogo(): Promise<Buffer> {
  const side = 1_000;
  const noise = sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });
  for (let quality = 60; ; quality -= 10) {
    const logo = await noise.clone().jpeg({ quality }).toBuffer();
    if (logo.length <= metadataLimits.logoBytes) return logo;
    if (quality === 10) throw new Error(`A logo of noise has ${logo.length} bytes.`);
  }
}

async function rejectPending(storage: ServiceStorage, tokenId: string): Promise<void> {
  await withPrecious(storage, async (precious) => {
    const pending = await precious
      .query<MetadataTables>()
      .selectFrom('metadata_submission')
      .select('id')
      .where('token_id', '=', tokenId)
      .where('state', '=', 'pending')
      .execute();
    for (const { id } of pending) await rejectSubmission(precious, id, 'Of a measurement.', Date.now());
  });
}
