import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { LooksList, LooksParams, SignedLooksView } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { writeTime } from '../write-time.ts';
import { findStatementText, listStatements } from './statement-store.ts';

/** `GET /looks`, `GET /looks/{hash}`. */
export function registerLooksRoutes(app: FastifyInstance, { precious }: RegistryContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/looks',
    query: PageQuery,
    response: LooksList,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'listLooks',
      tag: 'Looks',
      summary: 'Statements of vantage points',
      description:
        'What this service and its vantage points have signed of their looks at nodes, one statement each and slot; newest slot first. ' +
        'Receipts name those that made their verdict. Empty where the operator counts no vantage points.',
      errors: [],
      example: { items: [registryExamples.looksEntry], next_cursor: null },
    },
    async call({ query }) {
      const limit = query.limit ?? pageLimits.default;
      const [slotStartMs, skip] = decodeCursor('looks', '', query.cursor, 2) ?? [];
      const after = slotStartMs === undefined ? undefined : { slotStartMs, skip: skip! };
      const rows = await listStatements(precious.query<RegistryTables>(), { after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const ofSlot = page.filter((row) => row.slotStartMs === last?.slotStartMs).length;
      const before = after !== undefined && after.slotStartMs === last?.slotStartMs ? after.skip : 0;
      return {
        items: page.map(({ slotStartMs, slotEndMs, vantage, hash, receivedAtMs, isSecond }) => ({
          slot: { from: writeTime(slotStartMs), to: writeTime(slotEndMs) },
          ...{ vantage, hash, received_at: writeTime(receivedAtMs), is_second: isSecond },
        })),
        next_cursor:
          rows.length > limit ? encodeCursor('looks', '', [last!.slotStartMs, before + ofSlot]) : null,
      };
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/looks/:hash',
    params: LooksParams,
    response: SignedLooksView,
    cache: 'buried',
    cost: 20,
    operation: {
      document: 'nodes',
      id: 'getLooks',
      tag: 'Looks',
      summary: 'One statement',
      description: 'A statement by its hash. It never changes.',
      errors: ['looks_not_found'],
      parameterExamples: { hash: registryExamples.looks.hash },
      example: registryExamples.looks,
    },
    async call({ params }) {
      const found = await findStatementText(precious.query<RegistryTables>(), params.hash);
      // Of thousands of looks: as it is kept, it is written already.
      if (found !== undefined)
        return {
          writtenJson: `{"statement":${found.document},"hash":"${params.hash}","signature":"${found.signature}"}`,
        };
      throw new AppError('looks_not_found', `There is no statement ${params.hash} here.`);
    },
  });
}
