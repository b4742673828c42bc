import { LogoQuery, TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { cacheControls, matchesEtag } from '../../../http/snapshot.ts';
import { getToken, readTokenId, type TokenMetadataContext } from './metadata-context.ts';
import { metadataExamples } from './metadata-examples.ts';
import { findReviewedLogo } from './reviewed-metadata.ts';

/**
 * The answer is an image and nothing else, whatever a browser is told to do with it: it may not be sniffed (a common
 * header), run or framed.
 */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'content-disposition': 'inline; filename="logo.png"',
};

/** `GET /tokens/{token_id}/logo`. */
export function registerLogoRoute(app: FastifyInstance, context: TokenMetadataContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/tokens/:token_id/logo',
    params: TokenIdParams,
    query: LogoQuery,
    response: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The PNG.' }),
    cache: 'tip',
    operation: {
      document: 'tokens',
      id: 'getTokenLogo',
      tag: 'Metadata',
      summary: 'Logo of a token',
      description:
        'A PNG that this service made from the pixels of what the issuer submitted, once a person has approved it. With ' +
        'the hash that the metadata give it can be kept for a year.',
      errors: ['token_not_found', 'logo_not_found', 'not_ready', 'index_unavailable'],
      parameterExamples: { token_id: metadataExamples.challenge.token_id },
      contentType: 'image/png',
      example: metadataExamples.logo,
    },
    async call({ params, query, request, reply }) {
      const tokenId = readTokenId(params.token_id);
      await getToken(context, tokenId);
      const logo = await findReviewedLogo(context.precious, tokenId);
      if (logo === undefined || (query.sha256 ?? logo.sha256) !== logo.sha256)
        throw new AppError('logo_not_found', 'This token has no such logo.');
      const etag = `"${logo.sha256}"`;
      reply.headers(IMAGE_HEADERS).header('etag', etag);
      if (query.sha256 !== undefined) reply.header('cache-control', cacheControls.fixed);
      if (matchesEtag(request.headers['if-none-match'], etag)) return await reply.code(304).send();
      return await reply.type('image/png').send(logo.png);
    },
  });
}
