import type { ProofJson } from '@coinfront/api/proofs.ts';
import { EpochParams, EpochProofView } from '@coinfront/api/registry.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { listAnchorsFrom } from '../../../signed-log/anchor-store.ts';
import { findHead, findHeadAt } from '../../../signed-log/log-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import { proveEntry } from '../../../signed-log/prove.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { findEpochAnchors } from './epoch-anchors.ts';
import { findEpochLog } from './epoch-log.ts';
import { countEpochsBefore, findEpoch } from './epoch-store.ts';
import { countEpoch } from './receipt-store.ts';
import { serialiseEpoch } from './serialise-log.ts';

/** Anchored checkpoints that are looked for in the chain: the first may have been replaced there. */
const TRIED = 4;

/** `GET /epochs/{epoch}/proof`. */
export function registerEpochProofRoute(app: FastifyInstance, context: RegistryContext): void {
  const { precious, rules } = context;
  registerCall(app, {
    method: 'GET',
    path: '/epochs/:epoch/proof',
    params: EpochParams,
    response: EpochProofView,
    cache: 'volatile',
    cost: 10,
    operation: {
      document: 'nodes',
      id: 'proveEpoch',
      tag: 'Log',
      summary: 'Proof that a closed epoch is in the log, and the log in the chain',
      description:
        'The inclusion proof of the epoch in a checkpoint of the log, and the proof of the digest of that checkpoint in the chain. ' +
        'docs/protocols/signed-log.md says how to check them.',
      errors: ['epoch_not_found', 'epoch_open', 'log_empty', 'index_unavailable'],
      parameterExamples: { epoch: registryExamples.epochProof.epoch.epoch },
      example: registryExamples.epochProof,
    },
    async call({ params }) {
      const db = precious.query<RegistryTables>();
      const epoch = await getClosedEpoch(db, params.epoch);
      const origin = await findEpochLog(db);
      const index = await countEpochsBefore(db, params.epoch);
      const log = onLogTables(db);
      const newest = origin === undefined ? undefined : await findHead(log, origin);
      if (origin === undefined || newest === undefined || newest.size <= index)
        throw new AppError('log_empty', 'The epoch is not in the log yet: it is when the prober runs next.');
      const found = await findInChain(context, origin, index);
      const head = (found && (await findHeadAt(log, origin, found.size))) ?? newest;
      const anchors = await findEpochAnchors(db, [params.epoch]);
      return {
        epoch: serialiseEpoch(epoch, rules.epochBlocks, anchors.get(params.epoch)),
        index,
        path: (await proveEntry(log, origin, index, head.size)).map(bytesToHex),
        checkpoint: head.note,
        anchor: found?.proof ?? null,
      };
    },
  });
}

async function getClosedEpoch(db: RegistryQuery, number: number) {
  const epoch = await findEpoch(db, number);
  if (epoch !== undefined) return epoch;
  const { receipts } = await countEpoch(db, number);
  if (receipts === 0) throw new AppError('epoch_not_found', `Epoch ${number} has no receipts.`);
  throw new AppError('epoch_open', `Epoch ${number} is not closed yet.`);
}

/** The first anchored checkpoint that has the entry: the first that is in a block, or else in the mempool. */
async function findInChain(
  { precious, findProof }: RegistryContext,
  origin: string,
  place: number,
): Promise<{ size: number; proof: ProofJson } | undefined> {
  const log = onLogTables(precious.query<RegistryTables>());
  let waiting: { size: number; proof: ProofJson } | undefined;
  for (const { size, digest } of await listAnchorsFrom(log, origin, place + 1, TRIED)) {
    const proof = await findProof(digest);
    if (proof === undefined || proof.state === 'unknown') continue;
    if (proof.primary !== null) return { size, proof };
    waiting ??= { size, proof };
  }
  return waiting;
}
