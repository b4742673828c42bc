/** Descriptions and logos of tokens: proven by the issuer, reviewed by a person, off-chain. */

import type { FastifyInstance } from 'fastify';
import { registerChallengeRoute } from './challenge-route.ts';
import { registerLogoRoute } from './logo-route.ts';
import { metadataPrefix, type TokenMetadataContext } from './metadata-context.ts';
import { createLogoRenderer } from './render-logo.ts';
import { registerSubmissionRoutes } from './submission-routes.ts';

/** Creates the part. */
export function createTokenMetadataPart(context: TokenMetadataContext): {
  register(app: FastifyInstance): void;
} {
  return {
    register(app) {
      app.register(
        async (scope) => {
          registerChallengeRoute(scope, context);
          registerSubmissionRoutes(scope, context, createLogoRenderer());
          registerLogoRoute(scope, context);
        },
        { prefix: metadataPrefix },
      );
    },
  };
}
