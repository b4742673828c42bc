import { createRandom } from '../chain/random.ts';

/** What is known of a hostile chain, by the name of the parameter that takes it, or by document and name: `nodes.id`. */
export type Facts = Readonly<Record<string, readonly string[]>>;

/** A route as its OpenAPI document has it, with the values that each of its parameters may take. */
export type SearchedRoute = {
  readonly name: string;
  readonly method: string;
  /** With `{name}` where a parameter goes. */
  readonly path: string;
  /** `undefined` leaves a parameter of the query out. */
  readonly values: ReadonlyMap<string, readonly (string | undefined)[]>;
  readonly bodies: readonly RequestBody[];
  /** What requests of it use up; tried beside what is there all the time. */
  readonly fresh: readonly Fresh[];
};

/** A body that is sent, and what it is called in the table. */
export type RequestBody = { readonly name: string; readonly type: string; readonly bytes: Buffer };

/**
 * What one request uses up, as a refund that it cancels: made anew before each, so that the second time is as the first. What it gives
 * takes the place of a choice's own values and body.
 */
export type Fresh = {
  readonly name: string;
  /** Its body is the whole of the request: it is not tried with each of the route's own. */
  readonly hasBody?: true;
  /** `body` is sent as JSON; what is sent otherwise is `sent`. */
  make(): Promise<{ values?: Readonly<Record<string, string>>; body?: object; sent?: RequestBody }>;
};

/** What requests use up, by the route's name: `POST /api/v1/payments/{payment_id}/cancel`. */
export type FreshOfRoutes = Readonly<Record<string, readonly Fresh[]>>;

/** One choice of values for a route. */
export type Choice = {
  readonly route: SearchedRoute;
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly body: RequestBody | undefined;
  /** Makes what each request of this choice uses up; undefined where it uses nothing up. */
  readonly fresh: Fresh | undefined;
};

/** The parts of an OpenAPI document that are read here. */
export type ApiDocument = {
  servers: readonly { url: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
};
export type ApiOperation = {
  parameters?: readonly { in: string; name: string; required?: boolean; schema: ApiSchema }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
};
type ApiSchema = {
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  pattern?: string;
};

/** What a list gives for its next page cannot be known before it is asked. */
const FOUND_LATER = new Set(['cursor']);

/**
 * The routes of a document. What a parameter may be comes from the facts and from its schema: its least and greatest number,
 * each of its words.
 *
 * @throws Error where a parameter has to be given and nothing is known that it could be: the route would be forgotten
 */
export function listRoutes(
  documentName: string,
  document: ApiDocument,
  facts: Facts,
  listBodies: (document: string, path: string, operation: ApiOperation) => readonly RequestBody[],
  freshOfRoutes: FreshOfRoutes = {},
): SearchedRoute[] {
  const base = document.servers[0]!.url;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${base}${path}`;
      const values = new Map<string, readonly (string | undefined)[]>();
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'header' || FOUND_LATER.has(parameter.name)) continue;
        const known = facts[`${documentName}.${parameter.name}`] ?? facts[parameter.name] ?? [];
        const all: (string | undefined)[] = [...new Set([...known, ...valuesOfSchema(parameter.schema)])];
        if (parameter.in === 'query') all.unshift(undefined);
        if (all.length === 0) throw new Error(`${name}: nothing is known that ${parameter.name} could be.`);
        values.set(parameter.name, all);
      }
      return {
        name,
        method: method.toUpperCase(),
        path: base + path,
        values,
        bodies: operation.requestBody === undefined ? [] : listBodies(documentName, path, operation),
        fresh: freshOfRoutes[name] ?? [],
      };
    }),
  );
}

function valuesOfSchema({ enum: words, minimum, maximum, default: usual }: ApiSchema): string[] {
  if (words !== undefined) return [...words];
  return [minimum, usual, maximum].filter((value) => value !== undefined).map(String);
}

/**
 * Every choice of a route's values, or as many of them as are allowed, taken by chance from all; and each body with each of what
 * the route uses up.
 */
export function listChoices(route: SearchedRoute, most: number, seed: number): Choice[] {
  const names = [...route.values.keys()];
  const lists = names.map((name) => route.values.get(name)!);
  const bodies = route.bodies.length === 0 ? [undefined] : route.bodies;
  const count = lists.reduce((product, { length }) => product * length, bodies.length);
  const random = createRandom(seed);
  const picks =
    count <= most
      ? Array.from({ length: count }, (_, i) => i)
      : Array.from({ length: most }, () => random.below(count));
  const choices = [...new Set(picks)].map((pick): Choice => {
    let rest = pick;
    const take = <T>(list: readonly T[]): T => {
      const value = list[rest % list.length]!;
      rest = Math.floor(rest / list.length);
      return value;
    };
    const body = take(bodies);
    const values = Object.fromEntries(names.map((name, i) => [name, take(lists[i]!)]));
    return { route, body, values, fresh: undefined };
  });
  const values = Object.fromEntries(names.map((name, i) => [name, lists[i]![0]]));
  const used = route.fresh.flatMap((fresh) =>
    (fresh.hasBody ? [undefined] : bodies).map((body) => ({ route, body, values, fresh })),
  );
  return [...used, ...choices];
}

/** The choices that differ from this one in one value. */
export function listNeighbours(choice: Choice): Choice[] {
  const others = [...choice.route.values].flatMap(([name, list]) =>
    list
      .filter((value) => value !== choice.values[name])
      .map((value) => ({ ...choice, values: { ...choice.values, [name]: value } })),
  );
  const bodies = choice.fresh?.hasBody ? [] : choice.route.bodies.filter((body) => body !== choice.body);
  return [...others, ...bodies.map((body) => ({ ...choice, body }))];
}

/** The choice with what it uses up, made for one request. */
export async function makeFresh(choice: Choice): Promise<Choice> {
  if (choice.fresh === undefined) return choice;
  const { values, body, sent } = await choice.fresh.make();
  const written = body === undefined ? choice.body : jsonBody(choice.fresh.name, JSON.stringify(body));
  return { ...choice, values: { ...choice.values, ...values }, body: sent ?? written };
}

/** A body of JSON. */
export function jsonBody(name: string, text: string): RequestBody {
  return { name, type: 'application/json', bytes: Buffer.from(text) };
}

/** A body of plain text. */
export function textBody(name: string, text: string): RequestBody {
  return { name, type: 'text/plain', bytes: Buffer.from(text) };
}

/** A body as a browser sends a form. */
export function formBody(name: string, text: string): RequestBody {
  return { name, type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) };
}

/** Path and query of a choice. */
export function targetOf({ route, values }: Choice): string {
  const query: string[] = [];
  let path = route.path;
  for (const [name, value] of Object.entries(values)) {
    const encoded = encodeURIComponent(value ?? '');
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encoded);
    else if (value !== undefined) query.push(`${name}=${encoded}`);
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
