import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Reads JSON as Fastify's own parser does, which refuses what could reach a prototype, and in a fraction of the time where nothing
 * looks like that.
 */
export function parseStrictJson(app: FastifyInstance): (text: string) => unknown {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (text) => {
    if (!mayReachPrototype(text)) {
      try {
        return JSON.parse(text);
      } catch {
        // The other one says what is wrong with it.
      }
    }
    let outcome: { error: Error | null; value: unknown } | undefined;
    // It calls back before it returns, and looks at nothing of the request.
    void parse({} as FastifyRequest, text, (error, value) => {
      outcome = { error, value };
    });
    if (outcome === undefined || outcome.error !== null) throw outcome?.error ?? new Error('no JSON');
    return outcome.value;
  };
}

/** Looking closer takes far longer than parsing does. */
function mayReachPrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');
}
