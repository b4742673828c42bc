import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { iterateItems } from '@coinfront/sdk/client/iterate-pages.ts';
import { listNameOperations } from '@coinfront/sdk/names/list-name-operations.ts';
import { describePayload } from '@coinfront/sdk/wallet/describe-payload.ts';
import type { NameStatus } from '@coinfront/sdk/wallet/name-quote.ts';
import { fetchTransactions } from '@coinfront/sdk/wallet/previous-transactions.ts';
import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import type { WalletReads } from '@coinfront/sdk/wallet/wallet-reads.ts';

/** A commitment of the wallet that can be, or will be able to be, revealed. */
export type OwnCommitment = {
  readonly owner: WalletAddress;
  readonly height: number;
  /** The first and the last block that may have the register. */
  readonly from: number;
  readonly to: number;
};

/** Transactions in the mempool that are looked at for a commitment, at most. */
const mostPending = 25;
/** Operations that are looked through at most. */
const mostOperations = 20_000;

/**
 * Looks for the wallet's own commitment to a name in the chain: a restored wallet finds what it began.
 *
 * @returns the newest that is not too old for the next block; undefined when there is none
 */
export async function findCommitment(
  client: Client,
  name: string,
  salt: Uint8Array,
  scan: WalletScan,
  { as_of, rules }: NameStatus,
): Promise<OwnCommitment | undefined> {
  const owners = listOwners(name, salt, scan);
  const oldest = as_of.height + 1 - rules.commit_lifetime_blocks;
  let looked = 0;
  for await (const { kind, valid, height, commitment } of iterateItems((cursor) =>
    listNameOperations(client, { limit: 100, cursor }),
  )) {
    looked += 1;
    if (height < oldest || looked > mostOperations) return undefined;
    const owner = kind === 'commit' && valid && commitment !== null ? owners.get(commitment) : undefined;
    if (owner === undefined) continue;
    return {
      owner,
      height,
      from: height + rules.commit_maturity_blocks,
      to: height + rules.commit_lifetime_blocks,
    };
  }
  return undefined;
}

/**
 * Whether a commitment of the wallet to a name waits in the mempool: a second one would only cost a second fee.
 *
 * @returns its txid
 */
export async function findPendingCommitment(
  reads: WalletReads,
  name: string,
  salt: Uint8Array,
  scan: WalletScan,
): Promise<string | undefined> {
  const owners = listOwners(name, salt, scan);
  const pending = new Set(scan.coins.filter(({ height }) => height === undefined).map(({ txid }) => txid));
  for (const [txid, { tx }] of await fetchTransactions([...pending].slice(0, mostPending), reads)) {
    for (const { script } of tx.outputs) {
      const payload = describePayload(script);
      if (payload?.protocol !== 'name' || payload.operation.kind !== 'commit') continue;
      if (owners.has(bytesToHex(payload.operation.commitment))) return txid;
    }
  }
  return undefined;
}

/** Who could have committed to the name, by what the commitment would be. */
function listOwners(
  name: string,
  salt: Uint8Array,
  { used, wallet }: WalletScan,
): ReadonlyMap<string, WalletAddress> {
  const prefix = genesisPrefix(wallet.network);
  return new Map(
    used.map((owner) => [
      bytesToHex(nameCommitment({ ownerScript: owner.script, salt, name }, prefix)),
      owner,
    ]),
  );
}
