import type { Precious } from '../../../db/precious.ts';
import type { GaugeSource } from '../../../http/metrics-server.ts';
import type { CalendarTables } from './calendar-tables.ts';
import { countPending } from './pending-store.ts';

/** How many digests wait for a tree. */
export function listCalendarGauges(precious: Precious): GaugeSource[] {
  return [
    {
      name: 'coinfront_calendar_digests_waiting',
      help: 'Digests that the calendar has taken, and that no tree has yet: it grows while the wallet cannot send.',
      async read() {
        return await countPending(precious.query<CalendarTables>()).catch(() => undefined);
      },
    },
  ];
}
