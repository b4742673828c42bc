import { clock } from '../data/clock.ts';
import { useStore } from '../data/store.ts';
import { times } from '../data/times.ts';
import { formatAgo, formatDate, formatExact, formatUtc } from '../format/time.ts';

/** A moment: how long ago, or its date, as the visitor likes it; the rest on hover. */
export function When({ at }: { at: string }) {
  const nowMs = useStore(clock);
  const { shows, zone } = useStore(times);
  const ago = formatAgo(at, nowMs);
  return shows === 'ages' ? (
    <time class="tight" dateTime={at} title={`${formatExact(at, 'local')} (${formatUtc(at)})`}>
      {ago}
    </time>
  ) : (
    <time dateTime={at} title={`${ago}, ${formatUtc(at)}`}>
      {formatDate(at, zone)}
    </time>
  );
}

/** How moments are written exactly, in sentences and tables: by the clock that the visitor has chosen, with its zone. */
export function useExact(): (iso: string) => string {
  const { zone } = useStore(times);
  return (iso) => formatExact(iso, zone);
}

/** A moment exactly, and how long ago. */
export function WhenExactly({ at }: { at: string }) {
  const nowMs = useStore(clock);
  const { zone } = useStore(times);
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatExact(at, zone)} <span class="quiet">({formatAgo(at, nowMs)})</span>
    </time>
  );
}
