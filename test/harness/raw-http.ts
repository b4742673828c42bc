import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { errorCodes } from '../../service/src/errors.ts';

/** One answer, taken from the bytes of a connection. */
export type RawAnswer = { readonly status: number; readonly head: string; readonly body: string };

/** A connection on which anything can be said. */
export type RawConnection = {
  readonly socket: Socket;
  /** Everything that came back, once the other side has closed. */
  readonly closed: Promise<string>;
};

/** Opens a connection and says something, if anything. Errors of the socket count as its end. */
export function openRaw(origin: string, bytes: string | Buffer = ''): RawConnection {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => {});
  if (bytes.length > 0) socket.write(bytes);
  return { socket, closed: once(socket, 'close').then(() => answer) };
}

/** The answers in what came back, each by its own length. */
export function parseAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1];
    if (end < 0 || status === undefined)
      throw new Error(`No HTTP answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const head = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    answers.push({ status: Number(status), head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** What is wrong with a refusal; undefined when it is a 4xx problem document with a known code and without a stack. */
export function findFaultOf({ status, head, body }: RawAnswer): string | undefined {
  if (status < 400 || status >= 500) return `answered ${status}`;
  if (!/^content-type: application\/problem\+json/im.test(head)) return `is no problem document: ${head}`;
  const problem = JSON.parse(body) as Record<string, unknown>;
  if (!errorCodes.some((code) => code === problem.code)) return `has no known code: ${body}`;
  if (problem.status !== status) return `tells another status: ${body}`;
  if (/\bat .+\.(ts|js):\d+|node_modules|\/src\//.test(body)) return `shows a stack: ${body}`;
  return undefined;
}
