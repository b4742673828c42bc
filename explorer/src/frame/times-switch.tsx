import { useStore } from '../data/store.ts';
import { chooseTimes, times } from '../data/times.ts';
import { t } from '../language/messages.ts';

/** Changes how moments are shown on all pages. */
export function TimesSwitch() {
  const { shows, zone } = useStore(times);
  return (
    <>
      <button type="button" onClick={() => chooseTimes({ shows: shows === 'ages' ? 'dates' : 'ages' })}>
        {t(shows === 'ages' ? 'Show dates' : 'Show ages')}
      </button>
      <button type="button" onClick={() => chooseTimes({ zone: zone === 'utc' ? 'local' : 'utc' })}>
        {t(zone === 'utc' ? 'Use local time' : 'Use UTC')}
      </button>
    </>
  );
}
