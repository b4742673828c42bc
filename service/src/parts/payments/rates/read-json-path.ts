import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** Names and indexes of a path. */
const MAX_STEPS = 16;

/** Whether this is a path of names and indexes with dots between them, such as `data.0.price`. */
export function isJsonPath(path: string): boolean {
  const steps = path.split('.');
  return steps.length <= MAX_STEPS && steps.every((step) => step.length > 0 && step.length <= 64);
}

/**
 * The number, or string, at a path of a JSON text, as it is written there: a number that was read as a float would not be what
 * the source said.
 */
export function readJsonPath(text: string, path: string): Result<string> {
  const json = parseExact(text);
  if (json === undefined) return fail('the answer is not JSON');
  let at: unknown = json;
  for (const step of path.split('.')) {
    const isThere = Array.isArray(at)
      ? /^(0|[1-9][0-9]{0,8})$/.test(step) && Number(step) < at.length
      : typeof at === 'object' && at !== null && Object.hasOwn(at, step);
    if (!isThere) return fail(`the answer has nothing at "${path}"`);
    at = (at as Record<string, unknown>)[step];
  }
  return typeof at === 'string' ? ok(at) : fail(`what the answer has at "${path}" is not a number`);
}

/** JSON whose numbers are the text that they were written with; undefined when it is none, or too deep. */
export function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, keepNumberText);
  } catch {
    return undefined;
  }
}

const keepNumberText = ((_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' ? source : value) as (key: string, value: unknown) => unknown;
