import type { ProofJson } from '@coinfront/api/proofs.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { NEWEST_LEFT_OUT } from '@coinfront/protocol/registry/block-challenge.ts';
import type { Result } from '@coinfront/protocol/result.ts';
import { sql } from 'kysely';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { NameClient } from '../../clients/client-names.ts';
import type { VantagePeer } from '../../config-values.ts';
import type { Precious } from '../../db/precious.ts';
import { AppError } from '../../errors.ts';
import type { BodyReader } from '../../http/read-body.ts';
import type { AllowList } from '../../outbound/allow-list.ts';
import type { ResolveHost } from '../../outbound/resolve-host.ts';
import type { SocksProxy } from '../../outbound/socks-connect.ts';
import type { ServiceSigner } from '../../signing/service-key.ts';
import type { AsTable } from './as-table/read-as-table.ts';
import type { PortRule } from './nodes/endpoint-rules.ts';
import type { RegistryQuery } from './schema/registry-tables.ts';

/** What the operator decides. */
export type RegistryRules = {
  slotMs: number;
  epochBlocks: number;
  ports: PortRule;
  /** What may be registered besides addresses of the public internet. */
  allow: AllowList;
  /** Leads to onion addresses; undefined where none are registered. */
  socks: SocksProxy | undefined;
  /** Autonomous systems, by which weights are bounded, too. */
  asTable: AsTable | undefined;
  /** Services whose looks count, too. */
  vantages: readonly VantagePeer[];
  /** Set aside for an epoch, base units; undefined for nothing. */
  reward: bigint | undefined;
  /** Whether nodes that did not show their token are left out of lists. None of them has any weight in either case. */
  requireProof: boolean;
};

/** What the routes of the registry are made with. */
export type RegistryContext = {
  precious: Precious;
  readChain: ReadChain;
  profile: Pick<CoinProfile, 'address' | 'messageMagic' | 'genesisHash' | 'decimals'>;
  /** What clients call this service; without it nothing can be signed for it. */
  publicUrl: string | undefined;
  rules: RegistryRules;
  nameClient: NameClient;
  resolve: ResolveHost;
  /** The normalised form of a URL that alerts can be sent to. */
  checkAlertUrl: (url: string) => Result<string>;
  /** What the chain has of a digest, hex; undefined while the index has no block. */
  findProof: (digest: string) => Promise<ProofJson | undefined>;
  /** Reads bodies that are no JSON: those of logs that want to be witnessed. */
  bodies: Pick<BodyReader, 'readText'>;
  /** The key that this service cosigns by as a witness; undefined while this process has none. */
  findSigner: () => ServiceSigner | undefined;
  /** Nodes that one client registers a day; undefined means no limit. */
  registrationsPerDay: number | undefined;
  /** Unix milliseconds. */
  now: () => number;
};

/** Where the routes begin. */
export const registryPrefix = '/api/nodeproof';

/** Blocks that a node may be behind. */
export const MAX_LAG = NEWEST_LEFT_OUT;
/** A node that was not seen for so long is not looked at any more, and its endpoint is free. */
export const LAPSE_MS = 7 * 86_400_000;

/** Any fixed number: the name of the registry's lock among the advisory locks of the database. */
const REGISTRY_LOCK = 0x72656769;

/** Counting and adding are one step until the transaction ends; on SQLite there is one writer anyway. */
export async function lockRegistry(trx: RegistryQuery, engine: Precious['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${REGISTRY_LOCK})`.execute(trx);
}

/**
 * The domain that signatures are bound to.
 *
 * @throws AppError `registry_closed`
 */
export function getDomain({ publicUrl }: Pick<RegistryContext, 'publicUrl'>): string {
  if (publicUrl !== undefined && publicUrl !== '') return new URL(publicUrl).host;
  const detail =
    'The operator has not told this service its public address (COINFRONT_PUBLIC_URL), which node owners sign for.';
  throw new AppError('registry_closed', detail);
}
