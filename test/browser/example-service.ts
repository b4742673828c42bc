import { readdirSync, readFileSync } from 'node:fs';
import { pino } from 'pino';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer, stopServer } from '../../service/src/http/server.ts';
import { createExplorerPart } from '../../service/src/parts/explorer/explorer-part.ts';

/** The explorer on a service that answers each operation with its documented example, or as a test says. */
export type ExampleService = {
  readonly origin: string;
  /** What is answered to `GET` of this path of the documents, such as `/api/v1/blocks`, from now on; undefined: the example. */
  answer(path: string, answer: ExampleAnswer | undefined): void;
  /** Changes every answer; undefined: leaves them. */
  change(how: ((body: unknown) => unknown) | undefined): void;
  stop(): Promise<void>;
};

export type ExampleAnswer = { status?: number; body: unknown };

type Document = {
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentOperation | undefined>>;
};
type DocumentOperation = {
  responses?: Record<string, { content?: Record<string, { example?: unknown }> } | undefined>;
};

const documentsDir = new URL('../../docs/openapi/', import.meta.url).pathname;
const distDir = new URL('../../explorer/dist', import.meta.url).pathname;

/** Starts it on a free port of loopback. */
export async function startExampleService(
  more: Partial<Pick<Parameters<typeof createExplorerPart>[0], 'face' | 'lacks' | 'publicUrl'>> = {},
): Promise<ExampleService> {
  const explorer = createExplorerPart({
    distDir,
    coin: { name: 'Example', ticker: 'EX' },
    publicUrl: undefined,
    ...more,
  });
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
    renderError: explorer.renderError,
    findSpelling: explorer.findSpelling,
  });
  const answers = new Map<string, ExampleAnswer>();
  let how: ((body: unknown) => unknown) | undefined;
  explorer.register(http.app);
  for (const [path, example] of readExamples()) {
    http.app.get(path.replace(/\{([^}]+)\}/g, ':$1'), (_, reply) => {
      const { status = 200, body } = answers.get(path) ?? { body: example };
      return reply
        .code(status)
        .header('x-chain-height', '5')
        .header('x-chain-tip', 'ab'.repeat(32))
        .type(status < 400 ? 'application/json' : 'application/problem+json')
        .send(JSON.stringify(status < 400 && how !== undefined ? how(body) : body));
    });
  }
  const origin = await http.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    answer(path, answer) {
      if (answer === undefined) answers.delete(path);
      else answers.set(path, answer);
    },
    change(next) {
      how = next;
    },
    stop: () => stopServer(http, 0),
  };
}

/** Every `GET` with its example, by its whole path. */
function readExamples(): Map<string, unknown> {
  const examples = new Map<string, unknown>();
  for (const file of readdirSync(documentsDir)) {
    const document = JSON.parse(readFileSync(documentsDir + file, 'utf8')) as Document;
    const prefix = new URL(document.servers[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
    for (const [path, { get }] of Object.entries(document.paths)) {
      const example = Object.values(get?.responses?.['200']?.content ?? {})[0]?.example;
      if (path.endsWith('/openapi.json')) examples.set(prefix + path, document);
      else if (get !== undefined) examples.set(prefix + path, example);
    }
  }
  return examples;
}
