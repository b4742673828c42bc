/** Reads of the chain that can be asked for together, found by the path that asks for one of them by itself. */

import type { TObject } from 'typebox';
import type { BlockRecord, ChainView } from '../chain/chain-reads.ts';
import { compileParameters } from './parameters.ts';
import { emptyQuery, parseQuery } from './query-string.ts';
import type { RowCost } from './row-cost.ts';

/** What a read is told of, and tells, while it runs. */
export type BatchReadInput = {
  view: ChainView;
  tip: BlockRecord;
  /** Notes bytes that were read for the client, where these are not what it is sent. */
  charge(bytes: number): void;
  /** Notes how many rows there are to answer, where the cost hangs on them. */
  countRows(rows: number): void;
};

/** A read of the chain with a JSON body. */
export type BatchableRead = {
  /** Fastify's pattern, with the prefix of its part. */
  readonly pattern: string;
  readonly cost: number | RowCost;
  readonly params: TObject;
  readonly query: TObject;
  /** Gives the body, from parameters that fit their schemas. */
  run(
    input: BatchReadInput,
    params: Record<string, unknown>,
    query: Record<string, unknown>,
  ): Promise<unknown>;
};

/** A read that a path asks for; nothing of the path is checked yet but its shape. */
export type FoundRead = {
  readonly cost: number | RowCost;
  /** @throws AppError as the read by itself */
  run(input: BatchReadInput): Promise<unknown>;
};

export type BatchReads = {
  add(read: BatchableRead): void;
  /** The read that a path with its query asks for; undefined where none does. */
  find(target: string): FoundRead | undefined;
};

/** Creates an empty list of reads. */
export function createBatchReads(): BatchReads {
  const patterns: { parts: readonly string[]; cost: number | RowCost; read: CompiledRead }[] = [];
  return {
    add(read) {
      const parts = read.pattern.split('/');
      patterns.push({ parts, cost: read.cost, read: compileRead(read) });
      // What is named comes before what may be anything, as with the router.
      patterns.sort((a, b) => countParameters(a.parts) - countParameters(b.parts));
    },
    find(target) {
      const at = target.indexOf('?');
      const parts = (at === -1 ? target : target.slice(0, at)).split('/');
      for (const { parts: wanted, cost, read } of patterns) {
        const raw = matchParts(wanted, parts);
        if (raw === undefined) continue;
        const query = at === -1 ? emptyQuery : parseQuery(target.slice(at + 1));
        return { cost, run: (input) => read(input, raw, query) };
      }
      return undefined;
    },
  };
}

type CompiledRead = BatchableRead['run'];

function compileRead({ params, query, run }: BatchableRead): CompiledRead {
  const readParams = compileParameters(params, 'path');
  const readQuery = compileParameters(query, 'query');
  return async (input, rawParams, rawQuery) => await run(input, readParams(rawParams), readQuery(rawQuery));
}

const isParameter = (part: string): boolean => part.startsWith(':');

function countParameters(parts: readonly string[]): number {
  return parts.filter(isParameter).length;
}

/** The values of a pattern's parameters by name; undefined where the path has another shape. */
function matchParts(wanted: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== parts.length) return undefined;
  const values: Record<string, string> = Object.create(null);
  for (const [i, part] of parts.entries()) {
    const name = wanted[i]!;
    if (!isParameter(name)) {
      if (name !== part) return undefined;
      continue;
    }
    const value = decodePart(part);
    if (value === undefined || value === '') return undefined;
    values[name.slice(1)] = value;
  }
  return values;
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
