import { EsploraRecommendedFees, EsploraValidAddress, ValidateParams } from '@coinfront/api/esplora.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { findWitnessProgram } from '@coinfront/protocol/script.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { describe, lookUpCost } from './route-kit.ts';

/** What mempool.space has added to Esplora below `/v1`, and its clients ask for. */
const targets = [1, 3, 6, 144] as const;

/** `/v1/fees/recommended` and `/v1/validate-address`. */
export function registerMempoolSpaceRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/v1/fees/recommended',
    dependsOn: 'volatile',
    cost: lookUpCost,
    response: EsploraRecommendedFees,
    operation: describe(
      'recommendedFees',
      'Fee rates by how soon a transaction is wanted',
      [],
      { fastestFee: 12, halfHourFee: 8, hourFee: 5, economyFee: 2, minimumFee: 1 },
      ofMempoolSpace('Fee rates by how soon a transaction is wanted, none below the least that is relayed'),
    ),
    async read({ view }) {
      const estimates = context.estimateFees(targets, await view.getFeeHistogram());
      const minimum = context.findMinimumRate();
      const [fastestFee, halfHourFee, hourFee, economyFee] = estimates.map(({ ratePerKvb }) =>
        toWholeRate(ratePerKvb < minimum ? minimum : ratePerKvb),
      ) as [number, number, number, number];
      return { fastestFee, halfHourFee, hourFee, economyFee, minimumFee: toWholeRate(minimum) };
    },
  });
  registerRead(app, context, {
    path: '/v1/validate-address/:address',
    dependsOn: 'tip',
    cost: lookUpCost,
    params: ValidateParams,
    response: EsploraValidAddress,
    operation: describe(
      'validateAddress',
      'Whether a text is an address',
      [],
      { isvalid: false },
      ofMempoolSpace('Whether a text is an address of this coin, and what is in it'),
    ),
    read: async ({ params }) => validateAddress(params.address, context.profile),
  });
}

const ofMempoolSpace = (what: string) => ({
  description: `${what}, as mempool.space answers it. Errors are plain text.`,
});

/** Base units for a virtual byte: clients of mempool.space expect whole ones, and none may be too low. */
function toWholeRate(ratePerKvb: bigint): number {
  return Number((ratePerKvb + 999n) / 1_000n);
}

function validateAddress(text: string, profile: CoinProfile) {
  const decoded = decodeAddress(text, profile);
  if (!decoded.ok) return { isvalid: false };
  const { script, kind } = decoded.value;
  const witness = findWitnessProgram(script);
  return {
    isvalid: true,
    address: encodeAddress(script, profile) ?? text,
    scriptPubKey: bytesToHex(script),
    isscript: kind === 'p2sh' || kind === 'p2wsh',
    iswitness: witness !== undefined,
    ...(witness && { witness_version: witness.version, witness_program: bytesToHex(witness.program) }),
  };
}
