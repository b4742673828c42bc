import { useStore } from '../data/store.ts';
import { chooseTimes, times } from '../data/times.ts';

/** Changes how moments are shown on all pages. */
export function TimesSwitch() {
  const { shows, zone } = useStore(times);
  return (
    <span class="times">
      <button type="button" onClick={() => chooseTimes({ shows: shows === 'ages' ? 'dates' : 'ages' })}>
        {shows === 'ages' ? 'Show dates' : 'Show ages'}
      </button>
      <button type="button" onClick={() => chooseTimes({ zone: zone === 'utc' ? 'local' : 'utc' })}>
        {zone === 'utc' ? 'Use local time' : 'Use UTC'}
      </button>
    </span>
  );
}
