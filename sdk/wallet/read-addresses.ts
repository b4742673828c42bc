import type { ChainStatusJson } from '@coinfront/api/chain-state.ts';
import { getAddress } from '../chain/get-address.ts';
import { getStatus } from '../chain/get-status.ts';
import type { Client } from '../client/client.ts';
import { isSameState, readState } from './chain-state.ts';
import { BATCH_READS, readInBatch } from './read-in-batch.ts';
import { readOneByOne } from './read-together.ts';
import type { AddressReport, AddressReports } from './wallet-reads.ts';

type Options = { signal?: AbortSignal | undefined };

/** Addresses that {@link readAddresses} asks for in one request. */
export const ADDRESSES_AT_ONCE = BATCH_READS - 1;

/**
 * Asks for the state of the chain and for addresses in it: in one request, which is answered from one state; where the service cannot
 * do that, one by one between two looks at the state.
 *
 * @throws CoinfrontError; WalletError `answer_invalid`
 * @example
 * const { reports, state } = await readAddresses(client, addresses);
 */
export async function readAddresses(
  client: Client,
  addresses: readonly string[],
  options: Options = {},
): Promise<AddressReports> {
  const reads = addresses.map((address) => (each: Client) => getAddress(each, { address }));
  const settled = await readInBatch<ChainStatusJson | AddressReport>(client, [getStatus, ...reads], options);
  if (settled !== undefined) {
    const [status, ...reports] = settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    return { reports: reports as AddressReport[], state: readState(status as ChainStatusJson) };
  }
  const look = async () => readState((await readOneByOne(client, [getStatus], options))[0]!);
  const before = await look();
  const reports: AddressReport[] = await readOneByOne(client, reads, options);
  return { reports, state: isSameState(before, await look()) ? before : undefined };
}
