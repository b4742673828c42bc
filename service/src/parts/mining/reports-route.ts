import { PoolReport, type PoolReportJson, PoolReportQuery } from '@coinfront/api/mining-reports.ts';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import { getWatch } from './get-pool.ts';
import type { MiningContext } from './mining-context.ts';
import { miningExamples } from './mining-examples.ts';
import type { PaidMiner, SourceBlock } from './pool-source.ts';
import { describeSource, formatMs } from './serialise-pool.ts';

/** `/pool/reports`: the blocks and payments that a pool says there were. */
export function registerPoolReportRoute(app: FastifyInstance, context: MiningContext): void {
  registerRead(app, context, {
    path: '/pool/reports',
    query: PoolReportQuery,
    response: PoolReport,
    dependsOn: 'volatile',
    cost: 3,
    operation: {
      document: 'chain',
      id: 'getPoolReport',
      tag: 'Mining',
      summary: 'Blocks and payments that a pool reports',
      description:
        'As the software of the main pool says, or that of a further one; of the kinds of software, Miningcore lists both. They are claims: what ' +
        'the chain says of a block is in `confirmations`, and which blocks have the published split in /pool/blocks.',
      errors: ['pool_not_found'],
      example: miningExamples.report,
    },
    async read({ view, tip, query }) {
      const watch = getWatch(context, query.source);
      const [reading] = watch.current().readings;
      const { decimals } = context.profile;
      return {
        ...describeSource(watch, context.now(), reading),
        blocks: reading?.blocks
          ? await Promise.all(reading.blocks.map((block) => serialiseBlock(view, tip, block, decimals)))
          : null,
        payments: reading?.payments?.map((payment) => serialisePayment(payment, decimals)) ?? null,
      };
    },
  });
}

async function serialiseBlock(
  view: ChainView,
  tip: BlockRecord,
  { height, hash, foundAtMs, state, reward, effort, finder }: SourceBlock,
  decimals: number,
): Promise<NonNullable<PoolReportJson['blocks']>[number]> {
  const known = hash === undefined ? undefined : await view.findBlock(getValue(parseDisplayHash(hash)));
  return {
    height: height ?? null,
    hash: hash ?? null,
    time: formatMs(foundAtMs),
    state: state ?? null,
    reward: reward?.toFixed(decimals) ?? null,
    effort: effort ?? null,
    finder: finder ?? null,
    confirmations: known ? confirmationsAt(known.height, tip) : null,
  };
}

function serialisePayment(
  { atMs, address, amount, txid }: PaidMiner,
  decimals: number,
): NonNullable<PoolReportJson['payments']>[number] {
  return {
    time: formatMs(atMs),
    address: address ?? null,
    amount: amount.toFixed(decimals),
    txid: txid ?? null,
  };
}
