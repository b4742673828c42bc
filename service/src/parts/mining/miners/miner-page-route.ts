import { MinerDetail, MinerParams, PoolSourceQuery } from '@coinfront/api/mining-history.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import { getWatch } from '../get-pool.ts';
import type { MiningContext } from '../mining-context.ts';
import { miningExamples } from '../mining-examples.ts';
import { unknownMiner } from '../pool-source.ts';
import { describeSource, formatMs } from '../serialise-pool.ts';
import { findMiner } from './find-miner.ts';
import { serialiseMinerDetail } from './serialise-miner.ts';

/** `/pool/miners/:address`. */
export function registerMinerPageRoute(app: FastifyInstance, context: MiningContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/pool/miners/:address',
    params: MinerParams,
    query: PoolSourceQuery,
    response: MinerDetail,
    cache: 'volatile',
    cost: 3,
    operation: {
      document: 'chain',
      id: 'getPoolMiner',
      tag: 'Mining',
      summary: 'One miner of a pool',
      description:
        'Machines, hashrates, shares, balance and payments of one miner, as the software of the pool says; it is asked when somebody asks, at most every 30 ' +
        'seconds for each miner. What it does not say is null. A part of an address that several miners have is answered by 409 `miner_ambiguous`.',
      errors: ['pool_not_found', 'miner_not_found', 'miner_ambiguous'],
      example: miningExamples.miner,
    },
    async call({ params, query }) {
      const watch = getWatch(context, query.source);
      const [reading] = watch.current().readings;
      const miner = findMiner(params.address, reading?.minerList ?? [], context.profile);
      const answer = await watch.lookUpMiner(miner.key);
      const isListed = miner.listed !== undefined ? true : reading?.isListComplete === true ? false : null;
      return {
        ...describeSource(watch, context.now(), reading),
        asked_at: formatMs(answer?.readAtMs),
        address: miner.shown,
        listed: isListed,
        ...serialiseMinerDetail({
          listed: miner.listed,
          detail: answer?.detail ?? unknownMiner,
          tellsWorkers: miner.isWhole || watch.publishesMiners,
          decimals: context.profile.decimals,
        }),
      };
    },
  });
}
