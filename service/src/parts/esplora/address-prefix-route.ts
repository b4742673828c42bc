import { AddressPrefixParams } from '@coinfront/api/esplora.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { describe, lookUpCost } from './route-kit.ts';

/**
 * `/address-prefix`: the index names scripts by their hashes, which have no order of addresses. A whole address is found, and told
 * where anything was ever paid to it; how one begins is an error, as with electrs where searches are turned off.
 */
export function registerAddressPrefixRoute(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/address-prefix/:prefix',
    dependsOn: 'mempool',
    params: AddressPrefixParams,
    cost: lookUpCost,
    response: Type.Array(Type.String()),
    operation: describe(
      'addressPrefix',
      'The address that was asked for as a whole, where it was ever used; a part of one is an error',
      ['address_invalid'],
      ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ),
    async read({ view, params }) {
      const decoded = decodeAddress(params.prefix, context.profile);
      if (!decoded.ok) {
        const detail = 'Addresses are not searched by how they begin here: the whole address is needed.';
        throw new AppError('address_invalid', detail);
      }
      const { script } = decoded.value;
      const { txCount } = await view.getScriptStats(script);
      const isUsed = txCount > 0 || (await view.getMempoolStats(script)).txCount > 0;
      return isUsed ? [encodeAddress(script, context.profile) ?? params.prefix] : [];
    },
  });
}
