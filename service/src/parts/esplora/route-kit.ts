/** What all Esplora routes share: costs, one document. */

import type { ErrorCode } from '../../errors.ts';
import type { Operation } from '../../http/operation.ts';
import type { RowCost } from '../../http/row-cost.ts';

/** The description of an operation; Esplora's own documentation says the rest. */
export function describe(
  id: string,
  summary: string,
  errors: readonly ErrorCode[],
  example: unknown,
  more: Partial<Operation> = {},
): Operation {
  return {
    document: 'esplora',
    id,
    tag: 'Esplora',
    summary,
    description: `${summary}, as Blockstream's Esplora answers it. Errors are plain text.`,
    errors,
    example,
    ...more,
  };
}

/** The same of what mempool.space has added. */
export function describeOfMempoolSpace(
  id: string,
  summary: string,
  errors: readonly ErrorCode[],
  example: unknown,
  more: Partial<Operation> = {},
): Operation {
  const description = `${summary}, as mempool.space answers it. Errors are plain text.`;
  return describe(id, summary, errors, example, { description, ...more });
}

/** What a list of whole transactions costs. */
export const txListCost: RowCost = { reserve: 8, rowsOfUnit: 10, of: 'transactions' };
/** What an answer costs for which all txids of a block are read. */
export const blockTxidsCost: RowCost = { reserve: 5, rowsOfUnit: 1_000, of: 'transactions of the block' };
/** What is found by one look-up and told in a line: a wallet that is restored asks for hundreds of these. */
export const lookUpCost = 0.5;

/** For an operation that answers text. */
export const plainText: Partial<Operation> = { contentType: 'text/plain; charset=utf-8' };
