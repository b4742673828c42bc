import { DigestParams, type ProofJson } from '@coinfront/api/proofs.ts';
import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { exportOts } from '@coinfront/protocol/ots/export-ots.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ProofContext } from './proof-context.ts';
import { proofExamples } from './proof-examples.ts';
import { readProof } from './read-proof.ts';

type Primary = NonNullable<ProofJson['primary']>;

/** `/proof/ots/{sha256}`. */
export function registerOtsRoute(app: FastifyInstance, { findLeaf, ...context }: ProofContext): void {
  const { rules, genesisHash } = context;

  registerRead(app, context, {
    path: '/proof/ots/:sha256',
    params: DigestParams,
    response: Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' }),
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'proofs',
      id: 'getOtsFile',
      tag: 'Proofs',
      summary: 'A proof as a file of OpenTimestamps',
      description:
        'The proof of a digest that is in a block, by a transaction of its own or by the calendar, as an `.ots` file. On Bitcoin and Litecoin other ' +
        'programs verify it; on other chains its attestation has a tag of its own (docs/protocols/proofs.md). A digest that is in no block yet, and ' +
        'one whose transaction has more than 4,096 bytes, is `timestamp_unavailable`.',
      errors: ['timestamp_unavailable', 'index_unavailable'],
      parameterExamples: { sha256: proofExamples.proof.sha256 },
      contentType: 'application/octet-stream',
      example: '…',
    },
    async read({ view, tip, params, charge }) {
      const digest = params.sha256.toLowerCase();
      const find = async (hex: string): Promise<Primary | null> =>
        (await readProof(view, tip, getHexBytes(hex), rules, { limit: 1, cursor: undefined, charge }))
          .primary;
      const own = await find(digest);
      const leaf = own === null ? (await findLeaf(digest))?.leaf : undefined;
      const primary = leaf === undefined ? own : await find(leaf.root);
      if (primary === null) throw unavailable('No block has this digest, or a tree of it, yet.');
      const file =
        primary.tx === null
          ? undefined
          : exportOts({
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
      if (file === undefined)
        throw unavailable(`Transaction ${primary.txid} is too large for the format, or has 64 bytes.`);
      return Buffer.from(file);
    },
  });
}

function unavailable(detail: string): AppError {
  return new AppError('timestamp_unavailable', detail);
}
