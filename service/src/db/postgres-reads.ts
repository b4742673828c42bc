import type pg from 'pg';
import { DatabaseUnavailableError, type Reader } from './database.ts';
import { throwUnavailable } from './postgres-query.ts';
import { createSharedReader } from './postgres-together.ts';
import type { SqlValue, Statement } from './statement.ts';

/** "cached plan must not change result type": a newer version of the service has changed the table. */
const STALE_PLAN = '0A000';

/** A connection while anybody reads through it. */
type Lease = {
  reader: Promise<Reader>;
  client: pg.PoolClient | undefined;
  users: number;
};

/**
 * Reads outside of transactions, through one connection of a pool at a time. Those that ask by the same statement in one turn
 * of the event loop, or while a query is under way, share the next one. It is sent after the last of them has asked, and is a
 * snapshot of its own: nobody is told what was before his request.
 */
export function createSharedReads(pool: pg.Pool): Reader['all'] {
  let current: Lease | undefined;

  const begin = (): Lease => {
    const connect = async (): Promise<Reader> => {
      const client = await pool.connect().catch(throwUnavailable);
      mine.client = client;
      return createSharedReader(client);
    };
    const mine: Lease = { reader: connect(), client: undefined, users: 0 };
    return mine;
  };
  const end = (lease: Lease, isBroken: boolean): void => {
    if (current === lease) current = undefined;
    const { client } = lease;
    lease.client = undefined;
    // Closing a broken one ends what others still wait for in vain.
    client?.release(isBroken);
  };
  const read = async <Row>(statement: Statement<Row>, params: readonly SqlValue[]): Promise<Row[]> => {
    current ??= begin();
    const lease = current;
    lease.users++;
    try {
      return await (await lease.reader).all(statement, params);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError || isStalePlan(error)) end(lease, true);
      throw error;
    } finally {
      lease.users--;
      if (lease.users === 0) end(lease, false);
    }
  };
  const ask: Reader['all'] = async (statement, params = []) => {
    try {
      return await read(statement, params);
    } catch (error) {
      if (isStalePlan(error)) return await read(statement, params);
      throw error;
    }
  };
  return ask;
}

function isStalePlan(error: unknown): boolean {
  return (error as { code?: unknown }).code === STALE_PLAN;
}
