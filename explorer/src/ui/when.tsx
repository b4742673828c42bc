import { clock } from '../data/clock.ts';
import { useStore } from '../data/store.ts';
import { formatAgo, formatExact, formatUtc } from '../format/time.ts';

/** A moment: how long ago, and exactly on hover. */
export function When({ at }: { at: string }) {
  const nowMs = useStore(clock);
  return (
    <time class="tight" dateTime={at} title={`${formatExact(at)} (${formatUtc(at)})`}>
      {formatAgo(at, nowMs)}
    </time>
  );
}

/** A moment exactly, and how long ago. */
export function WhenExactly({ at }: { at: string }) {
  const nowMs = useStore(clock);
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatExact(at)} <span class="quiet">({formatAgo(at, nowMs)})</span>
    </time>
  );
}
