import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetLedgerCheckpointResult = string;
export type GetLedgerCheckpointError = CoinfrontError<
  CallErrorCode | 'index_unavailable' | 'log_empty' | 'treasury_not_configured'
>;

/**
 * Newest checkpoint of the log of the treasury's ledger.
 *
 * A signed note (C2SP tlog-checkpoint), with the lines of witnesses below, which {@link findCosigners} finds. Keep it: the next one has to go on
 * from it; {@link followLedgerLog} and {@link followLedger} see to that.
 *
 * @throws {GetLedgerCheckpointError}
 * @example
 * const note = await getLedgerCheckpoint(client);
 */
export function getLedgerCheckpoint(
  client: Client,
  options?: CallOptions,
): Promise<GetLedgerCheckpointResult> {
  return client.request({ method: 'GET', path: '/api/treasury/log/checkpoint', answer: 'text' }, options);
}
