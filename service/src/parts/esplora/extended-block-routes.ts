import {
  EsploraExtendedBlock,
  type EsploraExtendedBlockJson,
  HashParams,
  HeightParams,
} from '@coinfront/api/esplora.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  type BlockRecord,
  type ChainView,
  getBlockAt,
  getBlockById,
  parseStripped,
} from '../../chain/chain-reads.ts';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describeOfMempoolSpace } from './route-kit.ts';
import { serialiseBlock, toBaseUnits } from './serialise.ts';

/** Blocks of a list, as mempool.space has them. */
const listLength = 15;
const example = { ...esploraExamples.block, extras: esploraExamples.extras };

/** `/v1/blocks` and `/v1/block`: blocks with what mempool.space adds to them, as far as it is known. */
export function registerExtendedBlockRoutes(app: FastifyInstance, context: EsploraContext): void {
  const { profile } = context;
  registerRead(app, context, {
    path: '/v1/blocks',
    dependsOn: 'tip',
    cost: 3,
    response: Type.Array(EsploraExtendedBlock),
    operation: describeOfMempoolSpace(
      'extendedBlocks',
      `The ${listLength} newest blocks, with extras`,
      [],
      [example],
    ),
    read: async ({ view, tip }) => extend(view, await view.listBlocks(tip.height, listLength), profile),
  });
  registerRead(app, context, {
    path: '/v1/blocks/:height',
    dependsOn: 'tip',
    params: HeightParams,
    cost: 3,
    response: Type.Array(EsploraExtendedBlock),
    operation: describeOfMempoolSpace(
      'extendedBlocksFrom',
      `${listLength} blocks from a height downwards, with extras`,
      ['block_not_found'],
      [example],
    ),
    async read({ view, params }) {
      const { height } = await getBlockAt(view, params.height);
      return extend(view, await view.listBlocks(height, listLength), profile);
    },
  });
  registerRead(app, context, {
    path: '/v1/block/:hash',
    dependsOn: 'tip',
    params: HashParams,
    response: EsploraExtendedBlock,
    operation: describeOfMempoolSpace('extendedBlock', 'A block with extras', ['block_not_found'], example),
    async read({ view, params }) {
      const [block] = await extend(view, [await getBlockById(view, params.hash)], profile);
      return block!;
    },
  });
}

async function extend(
  view: ChainView,
  blocks: readonly BlockRecord[],
  profile: CoinProfile,
): Promise<EsploraExtendedBlockJson[]> {
  const coinbases = await view.getTxsById(blocks.map(({ firstTxId }) => firstTxId));
  return blocks.map((block, i) => {
    const { inputs, outputs } = parseStripped(coinbases[i]!);
    const addresses = [...new Set(outputs.flatMap(({ script }) => encodeAddress(script, profile) ?? []))];
    const paying = BigInt(block.txCount - 1);
    const extras = {
      totalFees: toBaseUnits(block.fees),
      avgFee: toBaseUnits(paying === 0n ? 0n : block.fees / paying),
      reward: toBaseUnits(block.coinbaseValue),
      coinbaseRaw: bytesToHex(inputs[0]!.scriptSig),
      coinbaseAddress: addresses[0] ?? null,
      coinbaseAddresses: addresses,
      header: bytesToHex(block.header),
      utxoSetSize: block.totals.utxos,
    };
    return { ...serialiseBlock(block), extras };
  });
}
