import { NameRecordsBody, type NameRecordsJson, NameRecordsView } from '@coinfront/api/name-records.ts';
import { NameParams } from '@coinfront/api/names.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import { hashRecordsDocument, readRecordsDocument } from '@coinfront/protocol/names/name-records.ts';
import type { FastifyInstance } from 'fastify';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import { getTip } from '../get-tip.ts';
import type { NameRouteContext } from '../name-context.ts';
import { nameExamples } from '../name-examples.ts';
import { findName, findRecordsHash } from '../name-store.ts';
import { parseRequestName } from '../parse-request-name.ts';
import { makeDocument } from './make-document.ts';
import { findDocument, keepDocument } from './record-store.ts';

/** What the routes of text records are made with. */
export type RecordContext = NameRouteContext & { precious: Precious; now: () => number };

type OnChain = Pick<NameRecordsJson, 'as_of' | 'state' | 'hash'>;

/** `GET` and `PUT /name/{name}/records`. */
export function registerNameRecordRoutes(app: FastifyInstance, context: RecordContext): void {
  const { rules, precious } = context;
  const common = {
    path: '/name/:name/records',
    params: NameParams,
    response: NameRecordsView,
    cache: 'none',
  } as const;
  const parameterExamples = { name: nameExamples.name.name };

  registerCall(app, {
    ...common,
    method: 'GET',
    cost: 2,
    operation: {
      document: 'names',
      id: 'getNameRecords',
      tag: 'Names',
      summary: 'Text records of a name',
      description:
        'What the owner of a name says with it: addresses of other coins, links, how to be reached. The chain has the hash, services have the ' +
        'document: whoever reads it checks that SHA-256 of `document` is `hash`, and need not believe the service.',
      errors: ['name_invalid', 'name_not_found', 'not_ready', 'index_unavailable'],
      parameterExamples,
      example: nameExamples.records,
    },
    async call({ params }) {
      const { name } = parseRequestName(params.name, rules);
      const onChain = await readOnChain(name);
      const { hash } = onChain;
      const document = hash === null ? undefined : await findDocument(precious, name, hash);
      return describe(name, onChain, document);
    },
  });

  registerCall(app, {
    ...common,
    method: 'PUT',
    body: NameRecordsBody,
    cost: 10,
    operation: {
      document: 'names',
      id: 'putNameRecords',
      tag: 'Names',
      summary: 'Give the document of text records',
      description:
        'Anybody may give it, to any service: it is taken when its hash is the one that the chain has for the name, and no other is. So it comes after ' +
        'the block that has the operation. The four newest documents of a name are kept.',
      errors: [
        'name_invalid',
        'name_not_found',
        'records_invalid',
        'records_mismatch',
        'not_ready',
        'index_unavailable',
      ],
      parameterExamples,
      bodyExample: { records: nameExamples.records.records },
      example: nameExamples.records,
    },
    async call({ params, body: { records } }) {
      const { name } = parseRequestName(params.name, rules);
      const document = makeDocument(name, records);
      const given = bytesToHex(hashRecordsDocument(document));
      const onChain = await readOnChain(name);
      if (onChain.hash !== given) {
        const has = onChain.hash === null ? `none (${onChain.state})` : onChain.hash;
        throw new AppError(
          'records_mismatch',
          `These records have the hash ${given}; the chain has ${has} for ${name} at height ${onChain.as_of.height}. Set it first, and wait for its block.`,
        );
      }
      await keepDocument(precious, { name, hash: given, document }, context.now());
      return describe(name, onChain, document);
    },
  });

  /** @throws AppError `name_not_found`, `not_ready` */
  function readOnChain(name: string): Promise<OnChain> {
    return context.readChain(async (view) => {
      const tip = getTip(view);
      const as_of = describeAsOf(tip);
      const record = await findName(view.reader, name);
      if (record === undefined)
        throw new AppError('name_not_found', `${name} was never registered; see /availability/${name}.`);
      const from = rules.recordsActivationHeight;
      if (from === undefined || tip.height < from) return { as_of, state: 'inactive', hash: null };
      const hash = await findRecordsHash(view.reader, name);
      if (hash === undefined) return { as_of, state: 'none', hash: null };
      if (!doesNameResolve(record, tip.height)) return { as_of, state: 'expired', hash: null };
      return { as_of, state: 'unknown', hash: bytesToHex(hash) };
    });
  }
}

function describe(name: string, onChain: OnChain, document: string | undefined): NameRecordsJson {
  const records = document === undefined ? undefined : readRecordsDocument(document, name);
  if (document === undefined || records === undefined)
    return { name, ...onChain, document: null, records: null };
  return { name, ...onChain, state: 'known', document, records };
}
