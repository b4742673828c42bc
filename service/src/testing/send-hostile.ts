/** Sends hostile requests to a server and judges what comes back. */

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { errorCodes } from '../errors.ts';
import type { HostileRequest } from './hostile-requests.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** An answer as it is judged. */
export type HostileAnswer = Pick<Answer, 'headers' | 'body' | 'status'>;

/**
 * Sends each request to `baseUrl` and returns one line for each answer that is wrong.
 *
 * @param judgeRefusal says what is wrong with the form of an answer of 400 and above
 */
export async function findFaults(
  baseUrl: string,
  requests: Iterable<HostileRequest>,
  judgeRefusal: (answer: HostileAnswer) => string | undefined = judgeProblem,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const faults: string[] = [];
  for (const hostile of requests) {
    const answer = await send(baseUrl, hostile, agent);
    const fault = judge(hostile, answer, judgeRefusal);
    if (fault !== undefined) {
      faults.push(
        `${hostile.method} ${hostile.path.slice(0, 120)} (${hostile.what}): ${fault}: ${answer.body.slice(0, 200)}`,
      );
    }
  }
  agent.destroy();
  return faults;
}

/** Words of schemas and of regular expressions, which nobody has to know to send a request. */
export const validatorWords =
  /schema|must match|pattern|(any|one|all)Of|additional propert|required propert|constant|\bmust be (string|integer|number|boolean|array|object)\b|must be [<>]=|\[\^|\[0-9|\[a-z/i;

function judge(
  { method, expect }: HostileRequest,
  answer: Answer,
  judgeRefusal: (answer: HostileAnswer) => string | undefined,
): string | undefined {
  if (answer === refusedEarly) return undefined;
  const { status, body } = answer;
  if (status >= 500) return `answered ${status}`;
  if (/\bat .+\.(ts|js):\d+|node_modules|\/src\//.test(body)) return 'shows a stack or a path';
  if (status >= 400 && validatorWords.test(body)) return 'speaks as a validator does';
  if (expect === 'refused' && status < 400) return `answered ${status}`;
  return status < 400 || method === 'HEAD' ? undefined : judgeRefusal(answer);
}

function judgeProblem({ status, headers, body }: HostileAnswer): string | undefined {
  const type = headers['content-type'] ?? '';
  // The Esplora routes answer errors as their clients expect them.
  if (type.startsWith('text/plain')) return body === '' ? 'has no text' : undefined;
  if (!type.startsWith('application/problem+json')) return `has the content type ${type}`;
  const problem = JSON.parse(body) as Record<string, unknown>;
  if (!(errorCodes as unknown[]).includes(problem.code)) return 'has no known code';
  if (problem.status !== status) return 'tells another status';
  if (typeof problem.detail !== 'string' || problem.detail === '') return 'has no detail';
  return undefined;
}

function send(
  baseUrl: string,
  { method, path, headers, body }: HostileRequest,
  agent: Agent,
): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent, timeout: 20_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    for (const [name, value] of Object.entries(headers))
      sent.setHeader(name, Buffer.from(value, 'latin1').toString('latin1'));
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      // A server may close while a body that it has refused is still coming; what it said is lost with the socket.
      if (cause.code === 'EPIPE' || cause.code === 'ECONNRESET') resolve(refusedEarly);
      else reject(new Error(`${method} ${path.slice(0, 120)}: ${cause.message}`, { cause }));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')));
    sent.end(body);
  });
}

const refusedEarly: Answer = { status: 413, headers: { 'content-type': 'text/plain' }, body: 'closed early' };
