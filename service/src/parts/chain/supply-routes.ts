import { Supply } from '@coinfront/api/chain-state.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { maxSupply, nextSubsidyChange, subsidyAt } from '@coinfront/protocol/subsidy.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { stateExamples } from './examples-state.ts';
import { computeSupply, highestMatureHeight, type SupplyFigures } from './supply-rules.ts';

/** The supply at the tip of a view. */
export async function readSupply(
  view: ChainView,
  tip: BlockRecord,
  maturity: number,
): Promise<SupplyFigures> {
  const height = highestMatureHeight(tip.height, maturity);
  const mature = height === undefined ? undefined : await view.findBlockAt(height);
  return computeSupply(tip.totals, mature?.totals);
}

/** `/supply`, `/supply/circulating` and `/supply/total`. */
export function registerSupplyRoutes(app: FastifyInstance, context: ChainContext): void {
  const { profile } = context;
  const format = (base: bigint): string => formatAmount(base, profile.decimals);
  const formatKnown = (base: bigint | undefined): string | null => (base === undefined ? null : format(base));

  registerRead(app, context, {
    path: '/supply',
    response: Supply,
    dependsOn: 'tip',
    operation: {
      document: 'chain',
      id: 'getSupply',
      tag: 'Supply',
      summary: 'Issued and matured supply',
      description:
        'Computed from the blocks themselves, not from the schedule: what was never claimed is not counted.',
      errors: [],
      example: stateExamples.supply,
    },
    async read({ view, tip }) {
      const supply = await readSupply(view, tip, profile.coinbaseMaturity);
      const change = nextSubsidyChange(tip.height + 1, profile);
      return {
        height: tip.height,
        issued: format(supply.issued),
        immature: format(supply.immature),
        matured: format(supply.matured),
        burned: format(supply.burned),
        circulating: format(supply.circulating),
        max_supply: formatKnown(maxSupply(profile)),
        subsidy: formatKnown(subsidyAt(tip.height + 1, profile)),
        next_subsidy:
          change === undefined
            ? null
            : {
                height: change.height,
                subsidy: formatKnown(change.subsidy),
                blocks_left: change.height - tip.height,
              },
      };
    },
  });

  const texts = [
    {
      path: '/supply/circulating',
      id: 'getCirculatingSupply',
      summary: 'Mature circulating supply as plain text',
      description: 'One decimal number of coins, nothing else: issued - immature - burned.',
      pick: (supply: SupplyFigures) => supply.circulating,
    },
    {
      path: '/supply/total',
      id: 'getTotalSupply',
      summary: 'Total issued supply as plain text',
      description: 'One decimal number of coins, nothing else: all coins made so far.',
      pick: (supply: SupplyFigures) => supply.issued,
    },
  ] as const;
  for (const { path, id, summary, description, pick } of texts) {
    registerRead(app, context, {
      path,
      response: Type.String({ description: 'A decimal number of coins.' }),
      dependsOn: 'tip',
      operation: {
        document: 'chain',
        id,
        tag: 'Supply',
        summary,
        description,
        errors: [],
        example: '10150.00000000',
        contentType: 'text/plain; charset=utf-8',
      },
      read: async ({ view, tip }) => format(pick(await readSupply(view, tip, profile.coinbaseMaturity))),
    });
  }
}
