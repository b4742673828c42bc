import { AddressParams } from '@coinfront/api/common.ts';
import {
  AddressNameList,
  NameAvailabilityView,
  NameOperationList,
  NameParams,
  NameResolution,
  NameView,
} from '@coinfront/api/names.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';
import { decodeTextCursor, encodeTextCursor } from '../../http/cursor.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { describeNameAvailability } from './describe-cost.ts';
import type { NameRouteContext } from './name-context.ts';
import { nameExamples } from './name-examples.ts';
import {
  findName,
  findRecordsHash,
  findReverse,
  listNamesOf,
  listOperations,
  type StoredName,
} from './name-store.ts';
import { parseRequestName } from './parse-request-name.ts';
import { describeMoment, describeParty, serialiseOperations, stateOfName } from './serialise-name.ts';

/** The reads of single names, of those of an address, and of all operations. */
export function registerNameRoutes(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile } = context;

  registerRead(app, context, {
    path: '/availability/:name',
    params: NameParams,
    response: NameAvailabilityView,
    dependsOn: 'tip',
    operation: {
      document: 'names',
      id: 'getNameAvailability',
      tag: 'Names',
      summary: 'Whether a name can be registered',
      description:
        'For the next block: whether the name is free, and if not, why and from when; its price, and the premium with how ' +
        'it falls. What is in the mempool does not count.',
      errors: ['name_invalid'],
      parameterExamples: { name: nameExamples.name.name },
      example: nameExamples.availability,
    },
    async read({ view, tip, params }) {
      const name = parseRequestName(params.name, rules);
      const record = await findName(view.reader, name.name);
      return await describeNameAvailability(view, tip, name, record, context);
    },
  });

  registerRead(app, context, {
    path: '/resolve/:name',
    params: NameParams,
    response: NameResolution,
    dependsOn: 'tip',
    operation: {
      document: 'names',
      id: 'resolveName',
      tag: 'Names',
      summary: 'Resolve a name',
      description:
        "The owner's address, only while the name has not expired. Show the address before anything is paid to it: a name " +
        'can change its owner with each block.',
      errors: ['name_invalid', 'name_not_resolved'],
      parameterExamples: { name: nameExamples.name.name },
      example: nameExamples.resolution,
    },
    async read({ view, tip, params }) {
      const { name } = parseRequestName(params.name, rules);
      const record = await findName(view.reader, name);
      if (record === undefined || !doesNameResolve(record, tip.height)) {
        const reason = record
          ? `It expired at height ${record.expiry} (${stateOfName(record.expiry, tip.height, rules)}).`
          : 'It was never registered.';
        throw new AppError(
          'name_not_resolved',
          `${name} does not resolve at height ${tip.height}. ${reason}`,
        );
      }
      return {
        name,
        as_of: describeAsOf(tip),
        address: encodeAddress(record.owner, profile) ?? null,
        script: bytesToHex(record.owner),
        expiry: await describeMoment(view, tip, record.expiry, profile),
      };
    },
  });

  registerRead(app, context, {
    path: '/name/:name',
    params: NameParams,
    query: PageQuery,
    response: NameView,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'getName',
      tag: 'Names',
      summary: 'Name detail',
      description:
        'The record of a name that was registered once, its state, its times - those to come are estimates - and every ' +
        'operation on it, valid or not, newest first.',
      errors: ['name_invalid', 'name_not_found', 'cursor_expired'],
      parameterExamples: { name: nameExamples.name.name },
      example: nameExamples.name,
    },
    async read({ view, tip, params, query }) {
      const { name } = parseRequestName(params.name, rules);
      const record = await findName(view.reader, name);
      if (record === undefined) {
        const detail = `${name} was never registered; see /availability/${name} and, for attempts, /operations.`;
        throw new AppError('name_not_found', detail);
      }
      return {
        ...(await describeRecord(view, tip, record)),
        history: await listPage(view, name, query),
      };
    },
  });

  registerRead(app, context, {
    path: '/address/:address',
    params: AddressParams,
    query: PageQuery,
    response: AddressNameList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'listAddressNames',
      tag: 'Names',
      summary: 'Names of an address',
      description:
        'All whose owner the address is, in their order. Show a name for an address only while it `resolves`, and remember ' +
        'that anybody can give a name to any address: `registered_by_owner` says whether it asked for it.',
      errors: ['address_invalid'],
      parameterExamples: { address: nameExamples.resolution.address },
      example: nameExamples.owned,
    },
    async read({ view, tip, params, query }) {
      const decoded = decodeAddress(params.address, profile);
      if (!decoded.ok) {
        const detail = `Not an address of ${profile.name} (${profile.chain}): ${decoded.reason}.`;
        throw new AppError('address_invalid', detail);
      }
      const { script } = decoded.value;
      const address = encodeAddress(script, profile) ?? params.address;
      const limit = query.limit ?? pageLimits.default;
      const after = decodeTextCursor('names', address, query.cursor);
      const records = await listNamesOf(view.reader, script, after, limit + 1);
      const shown = records.slice(0, limit);
      const last = shown.at(-1);
      const reverse = await findReverse(view.reader, script);
      const items = [];
      for (const record of shown) {
        items.push({
          name: record.name,
          state: stateOfName(record.expiry, tip.height, rules),
          resolves: doesNameResolve(record, tip.height),
          registered_by_owner: record.isRegistrant,
          is_reverse: record.name === reverse?.name,
          expiry: await describeMoment(view, tip, record.expiry, profile),
        });
      }
      return {
        address,
        as_of: describeAsOf(tip),
        items,
        next_cursor: records.length > limit && last ? encodeTextCursor('names', address, last.name) : null,
      };
    },
  });

  registerRead(app, context, {
    path: '/operations',
    query: PageQuery,
    response: NameOperationList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'listNameOperations',
      tag: 'Names',
      summary: 'All operations, newest first',
      description: 'Every transaction with a payload of the registry, valid or not, with the reason why not.',
      errors: ['cursor_expired'],
      example: nameExamples.operations,
    },
    async read({ view, tip, query }) {
      return { as_of: describeAsOf(tip), ...(await listPage(view, undefined, query)) };
    },
  });

  async function describeRecord(view: ChainView, tip: BlockRecord, record: StoredName) {
    const { name, owner, expiry, registeredHeight, isRegistrant } = record;
    const graceEnds = expiry + rules.graceBlocks;
    const recordsHash = await findRecordsHash(view.reader, name);
    return {
      name,
      as_of: describeAsOf(tip),
      state: stateOfName(expiry, tip.height, rules),
      resolves: doesNameResolve(record, tip.height),
      owner: describeParty(owner, profile),
      registered_by_owner: isRegistrant,
      is_reverse: (await findReverse(view.reader, owner))?.name === name,
      records_hash: recordsHash ? bytesToHex(recordsHash) : null,
      registered: await describeMoment(view, tip, registeredHeight, profile),
      expiry: await describeMoment(view, tip, expiry, profile),
      grace_ends: await describeMoment(view, tip, graceEnds, profile),
      premium_ends: await describeMoment(view, tip, graceEnds + rules.premiumBlocks, profile),
    };
  }

  /** A page of the operations of one name, or of all. */
  async function listPage(view: ChainView, name: string | undefined, query: Static<typeof PageQuery>) {
    const list = { kind: 'name_operations', subject: name ?? '' };
    const limit = query.limit ?? pageLimits.default;
    const from = await readRowCursor(view, list, query.cursor, 1);
    const before = from && ([from.height, from.numbers[0]!] as const);
    const rows = await listOperations(view.reader, name, before, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: await serialiseOperations(view, shown, profile),
      next_cursor:
        rows.length > limit && last ? await makeRowCursor(view, list, last.height, [last.position]) : null,
    };
  }
}
