/** Something between this process and PostgreSQL gives the session of one client to another. */
export class NoSessionsError extends Error {
  override readonly name = 'NoSessionsError';

  constructor() {
    super(
      'PostgreSQL is reached through a pooler that gives a session to others after each transaction (in PgBouncer: pool_mode ' +
        'transaction or statement). Locks, notifications and prepared statements would be those of others: set pool_mode to ' +
        'session for this database, or lead the address to PostgreSQL itself.',
    );
  }
}
