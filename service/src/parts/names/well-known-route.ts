import type { CoinProfile, NameRules } from '@coinfront/protocol/profile.ts';
import type { FastifyInstance } from 'fastify';
import { namePrefix } from './name-context.ts';

/** Version of the document's form. */
const VERSION = 1;

/**
 * Registers `/.well-known/coin-names` (RFC 8615): for a wallet that knows nothing but a host, which names of which chain it resolves,
 * and where. Templates are those of RFC 6570, level 1; without a public address they are relative to the document's own.
 */
export function registerWellKnownNames(
  app: FastifyInstance,
  {
    profile,
    rules,
    publicUrl = '',
  }: { profile: CoinProfile; rules: NameRules; publicUrl: string | undefined },
): void {
  const base = publicUrl + namePrefix;
  const document = {
    version: VERSION,
    coin: { name: profile.name, ticker: profile.ticker, uri_scheme: profile.uriScheme },
    genesis_hash: profile.genesisHash,
    tlds: rules.tlds,
    resolve: `${base}/resolve/{name}`,
    names_of: `${base}/address/{address}`,
    // Undefined, so absent, where the coin does not have them.
    reverse: rules.reverseActivationHeight === undefined ? undefined : `${base}/reverse/{address}`,
    records: rules.recordsActivationHeight === undefined ? undefined : `${base}/name/{name}/records`,
    status: `${base}/status`,
  };
  app.get('/.well-known/coin-names', { config: { cost: 0 } }, (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(document)),
  );
}
