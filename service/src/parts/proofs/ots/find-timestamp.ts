import type { ProofJson } from '@coinfront/api/proofs.ts';
import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { timestampOf } from '@coinfront/protocol/ots/export-ots.ts';
import type { OtsTimestamp } from '@coinfront/protocol/ots/parse-ots.ts';
import { compareAnchorPlaces } from '@coinfront/protocol/proofs/anchor.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-reads.ts';
import { AppError } from '../../../errors.ts';
import type { ProofContext } from '../proof-context.ts';
import { readProof } from '../read-proof.ts';

type Primary = NonNullable<ProofJson['primary']>;

/**
 * What can be said of a digest in the form of OpenTimestamps. `unknown`: nothing. `pending`: the calendar has it, and no block does.
 * `mined`: operations that lead to the block of the tip's chain.
 */
export type FoundTimestamp =
  | { state: 'unknown' }
  | { state: 'pending' }
  | { state: 'mined'; confirmations: number; timestamp: OtsTimestamp };

/**
 * Finds the timestamp of a digest that a transaction carries by itself, or that the calendar has.
 *
 * @param digest lower-case hex
 * @throws AppError `timestamp_unavailable` where the format cannot say it
 */
export async function findTimestamp(
  { view, tip, charge }: { view: ChainView; tip: BlockRecord; charge(bytes: number): void },
  digest: string,
  { rules, genesisHash, findLeaf }: Pick<ProofContext, 'rules' | 'genesisHash' | 'findLeaf'>,
): Promise<FoundTimestamp> {
  const find = async (hex: string): Promise<Primary | null> =>
    (await readProof(view, tip, getHexBytes(hex), rules, { limit: 1, cursor: undefined, charge })).primary;
  const own = await find(digest);
  const found = await findLeaf(digest);
  const ofTree = found?.leaf === undefined ? null : await find(found.leaf.root);
  // The earlier one proves more: whoever knows a digest can have it anchored again.
  const isOfTree = ofTree !== null && (own === null || compareAnchorPlaces(ofTree, own) < 0);
  const [primary, leaf] = isOfTree ? [ofTree, found?.leaf] : [own, undefined];
  if (primary === null) return found === undefined ? { state: 'unknown' } : { state: 'pending' };
  const timestamp =
    primary.tx === null
      ? undefined
      : timestampOf({
          digest: getHexBytes(digest),
          place: leaf && { ...leaf, root: getHexBytes(leaf.root) },
          anchor: {
            rawTx: getHexBytes(primary.tx),
            position: primary.position,
            branch: primary.branch.map((hash) => getValue(parseDisplayHash(hash))),
          },
          height: primary.height,
          genesisHash,
          marker: rules.marker,
        });
  if (timestamp === undefined)
    throw new AppError(
      'timestamp_unavailable',
      `Transaction ${primary.txid} is too large for the format, or has 64 bytes.`,
    );
  return { state: 'mined', confirmations: primary.confirmations, timestamp };
}
