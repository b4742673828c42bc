import pg from 'pg';
import { splitUrls } from './split-urls.ts';

const LOOK = `select pg_is_in_recovery() as is_standby,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** A connection was made to a server that takes no writes, or that another has taken the place of. */
export class NotPrimaryError extends Error {
  override readonly name = 'NotPrimaryError';
}

/** How the driver tells a pool that a connection is there, or is not. */
type Connected = (error: Error) => void;

/** Which server new connections go to. */
export type Servers = {
  /** A client of the server that is taken for the primary at the moment. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
  /** Connects to the primary, trying each server once. */
  connect(config: pg.ClientConfig): Promise<pg.Client>;
  /** The address that a connection of these was made to. */
  urlOf(client: pg.ClientBase): string;
  /**
   * Looks at a new connection.
   *
   * @throws NotPrimaryError when it is not the primary's; the next connection is another server's
   */
  check(client: pg.ClientBase): Promise<void>;
};

/**
 * The servers of a list of addresses, of which one is the primary and the others may become it. One that does not answer or takes no
 * writes is left for the next in the list. Each promotion begins a timeline with a higher number, by which a primary
 * that comes back after another was promoted is known, and not used.
 */
export function createServers(list: string): Servers {
  const urls = splitUrls(list);
  let present = 0;
  let timeline = '';
  const places = new WeakMap<object, number>();
  const leave = (place: number | undefined): void => {
    if (place === present) present = (present + 1) % urls.length;
  };

  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: urls[present]! });
      places.set(this, present);
    }

    override connect(): Promise<pg.Client>;
    override connect(done: Connected): void;
    override connect(done?: Connected): Promise<pg.Client> | undefined {
      const noteFailure = (error: Error | null): void => {
        if (error) leave(places.get(this));
      };
      if (done) {
        super.connect((error: Error | null) => {
          noteFailure(error);
          done(error as Error);
        });
        return undefined;
      }
      const whole = super.connect();
      whole.catch(noteFailure);
      return whole;
    }
  }

  const check = async (client: pg.ClientBase): Promise<void> => {
    // The only one there is: its own errors tell whether it takes writes.
    if (urls.length === 1) return;
    const place = places.get(client);
    const { rows } = await client.query<{ is_standby: boolean; timeline: string | null }>(LOOK);
    const { is_standby: isStandby, timeline: found } = rows[0]!;
    if (!isStandby && found! >= timeline) {
      timeline = found!;
      return;
    }
    leave(place);
    throw new NotPrimaryError(
      isStandby ? 'the server is a standby' : 'another server was promoted in the place of this one',
    );
  };

  return {
    Client,
    check,
    urlOf: (client) => urls[places.get(client)!]!,
    async connect(config) {
      for (let tries = 1; ; tries++) {
        const client = new Client(config);
        // Whoever uses it next is told by the query.
        client.on('error', () => {});
        try {
          await client.connect();
          await check(client);
          return client;
        } catch (error) {
          await client.end().catch(() => {});
          if (tries >= urls.length) throw error;
        }
      }
    },
  };
}
