import type { LogGrowthJson } from '@coinfront/api/signed-log.ts';
import { type Checkpoint, logOrigin, openCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Client } from '../client/client.ts';
import { getLogCheckpoint } from '../nodes/get-log-checkpoint.ts';
import { proveLogGrowth } from '../nodes/prove-log-growth.ts';
import { getLedgerCheckpoint } from '../treasury/get-ledger-checkpoint.ts';
import { proveLedgerGrowth } from '../treasury/prove-ledger-growth.ts';
import { LogError } from './log-error.ts';

/** A signed log of a service, by its key, and where it is read. */
export type LogSource = {
  origin: string;
  /** Ed25519, hex. */
  publicKey: string;
  /** Where its tiles are. */
  tiles: string;
  getCheckpoint(client: Client): Promise<string>;
  proveGrowth(client: Client, sizes: { from: number; to: number }): Promise<LogGrowthJson>;
};

/** The log of a node registry: its entries are closed epochs. */
export function registryLog(publicKey: string): LogSource {
  return {
    origin: logOrigin('node-registry', publicKey),
    publicKey,
    tiles: '/api/nodeproof/log/tile',
    getCheckpoint: (client) => getLogCheckpoint(client),
    proveGrowth: (client, sizes) => proveLogGrowth(client, sizes),
  };
}

/** The log of a treasury's ledger: its entries are heads of the ledger. */
export function ledgerLog(publicKey: string): LogSource {
  return {
    origin: logOrigin('treasury-ledger', publicKey),
    publicKey,
    tiles: '/api/treasury/log/tile',
    getCheckpoint: (client) => getLedgerCheckpoint(client),
    proveGrowth: (client, sizes) => proveLedgerGrowth(client, sizes),
  };
}

/**
 * Opens a checkpoint of a log.
 *
 * @param heads - what an error tells of
 * @throws LogError when it is none, or the log has not signed it
 */
export function openLog(
  note: string,
  { origin, publicKey }: Pick<LogSource, 'origin' | 'publicKey'>,
  heads: { remembered?: string | undefined; shown: string },
): Checkpoint {
  const opened = openCheckpoint(note, { origin, publicKey });
  if (opened.ok) return opened.checkpoint;
  throw new LogError(opened.fault === 'malformed' ? 'checkpoint_malformed' : 'checkpoint_unsigned', heads);
}
