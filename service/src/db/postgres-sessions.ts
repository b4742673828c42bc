import pg from 'pg';
import { NoSessionsError } from './no-sessions-error.ts';
import { splitUrls } from './split-urls.ts';

const ROUNDS = 4;
/** Nobody waits longer for a finding that the next start gives as well. */
const TIMEOUT_MS = 3_000;

/**
 * Makes sure that each connection has a session of its own. Two that are idle in turn have one and the same through a pooler of
 * transactions, or change from one to another; the server's processes tell.
 *
 * A server that cannot be asked now is no finding: whoever uses it next is told.
 *
 * @param urls each is looked at
 * @throws NoSessionsError
 */
export async function checkSessions(urls: string): Promise<void> {
  await Promise.all(splitUrls(urls).map(checkOne));
}

async function checkOne(url: string): Promise<void> {
  const clients = Array.from({ length: 2 }, () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      application_name: 'coinfront',
    });
    client.on('error', () => {});
    return client;
  });
  const seen = clients.map(() => new Set<number>());
  try {
    for (const client of clients) await client.connect();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, client] of clients.entries()) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        seen[i]!.add(rows[0]!.pid);
      }
    }
  } catch {
    return;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
  if (seen.some(({ size }) => size > 1) || !seen[0]!.isDisjointFrom(seen[1]!)) throw new NoSessionsError();
}
