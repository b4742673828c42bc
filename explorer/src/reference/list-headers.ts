import type { OpenApi, OpenApiHeader, OpenApiOperation } from '../data/open-api.ts';

/** A header of answers, with the codes of those that have it. */
export type AnswerHeader = { name: string; codes: string[]; description: string };

/** The headers that answers of an operation have, in the document's order. */
export function listHeaders({ responses = {} }: OpenApiOperation, document: OpenApi): AnswerHeader[] {
  const headers = new Map<string, AnswerHeader>();
  for (const [code, response] of Object.entries(responses)) {
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const { description = '' } = resolve(header, document);
      const key = `${name.toLowerCase()} ${description}`;
      const codes = [...(headers.get(key)?.codes ?? []), code];
      headers.set(key, { name, codes, description });
    }
  }
  return [...headers.values()];
}

function resolve(header: OpenApiHeader, document: OpenApi): OpenApiHeader {
  const name = /^#\/components\/headers\/(.+)$/.exec(header.$ref ?? '')?.[1];
  return (name === undefined ? header : document.components?.headers?.[name]) ?? {};
}
