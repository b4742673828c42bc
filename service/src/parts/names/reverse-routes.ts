import { AddressParams } from '@coinfront/api/common.ts';
import {
  NameReverse,
  NameReverseBody,
  type NameReverseJson,
  NameReverseList,
} from '@coinfront/api/name-reverse.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import type { FastifyInstance } from 'fastify';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getTip } from './get-tip.ts';
import type { NameRouteContext } from './name-context.ts';
import { nameExamples } from './name-examples.ts';
import { findReverse } from './name-store.ts';
import { describeMoment } from './serialise-name.ts';

type AddressReverse = Omit<NameReverseJson, 'as_of'>;

/** `/reverse/{address}`, and `/reverse` for many. */
export function registerNameReverseRoutes(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile } = context;

  registerRead(app, context, {
    path: '/reverse/:address',
    params: AddressParams,
    response: NameReverse,
    dependsOn: 'tip',
    operation: {
      document: 'names',
      id: 'getNameReverse',
      tag: 'Names',
      summary: 'The name to show for an address',
      description:
        'The reverse record of an address: the name that its owner has chosen, only while that name resolves to the address. Others can give ' +
        'names to an address; this one can be set by its owner alone.',
      errors: ['address_invalid'],
      parameterExamples: { address: nameExamples.resolution.address },
      example: nameExamples.reverse,
    },
    read: async ({ view, tip, params: { address } }) => ({
      as_of: describeAsOf(tip),
      ...(await describeReverse(view, tip, address, readAddress(address))),
    }),
  });

  registerCall(app, {
    method: 'POST',
    path: '/reverse',
    body: NameReverseBody,
    response: NameReverseList,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'names',
      id: 'listNameReverses',
      tag: 'Names',
      summary: 'The names to show for many addresses',
      description:
        'What `/reverse/{address}` says of each, all of one block. One text that is no address refuses the whole request.',
      errors: ['address_invalid', 'not_ready', 'index_unavailable'],
      bodyExample: { addresses: [nameExamples.resolution.address] },
      example: nameExamples.reverses,
    },
    call({ body: { addresses } }) {
      const asked = addresses.map((address, i) => ({ address, script: readAddress(address, i) }));
      return context.readChain(async (view) => {
        const tip = getTip(view);
        const items: AddressReverse[] = [];
        for (const { address, script } of asked)
          items.push(await describeReverse(view, tip, address, script));
        return { as_of: describeAsOf(tip), items };
      });
    },
  });

  /** @throws AppError `address_invalid` */
  function readAddress(text: string, index?: number): Uint8Array {
    const decoded = decodeAddress(text, profile);
    if (decoded.ok) return decoded.value.script;
    const which = index === undefined ? 'This' : `"addresses.${index}"`;
    const detail = `${which} is no address of ${profile.name} (${profile.chain}): ${decoded.reason}.`;
    throw new AppError('address_invalid', detail);
  }

  async function describeReverse(
    view: ChainView,
    tip: BlockRecord,
    text: string,
    script: Uint8Array,
  ): Promise<AddressReverse> {
    const address = encodeAddress(script, profile) ?? text;
    const from = rules.reverseActivationHeight;
    if (from === undefined || tip.height < from)
      return { address, name: null, reason: 'inactive', expiry: null };
    const record = await findReverse(view.reader, script);
    if (record === undefined) return { address, name: null, reason: 'none', expiry: null };
    const resolves = doesNameResolve(record, tip.height);
    return {
      address,
      name: resolves ? record.name : null,
      reason: resolves ? null : 'expired',
      expiry: await describeMoment(view, tip, record.expiry, profile),
    };
  }
}
