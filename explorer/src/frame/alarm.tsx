import type { HealthJson } from '@coinfront/api/chain-state.ts';
import { health, lostSinceMs } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { formatCount, formatCountOf, formatDecimal } from '../format/number.ts';
import { formatClock, formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';

/** Said when what is shown may be out of date, and why; nothing while all is well. */
export function Alarm() {
  const state = useStore(health);
  const lostSince = useStore(lostSinceMs);
  const text = lostSince === undefined ? state && describeHealth(state) : describeLoss(lostSince);
  return <div role="status">{text !== undefined && <p class="alarm">{text}</p>}</div>;
}

function describeLoss(sinceMs: number): string {
  return t(
    'No connection to the service since {time}. What you see is what it last said; it is tried again by itself.',
    { time: formatClock(sinceMs) },
  );
}

function describeHealth({ status, lag_blocks: lag, index, sync }: HealthJson): string | undefined {
  const behind = lag === null ? '' : t(', {blocks} behind', { blocks: formatCountOf(lag, 'block') });
  switch (status) {
    case 'ready':
      return undefined;
    case 'lagging':
      return t('This service is catching up{behind}. The newest blocks may be missing here.', { behind });
    case 'syncing':
      return t(
        'This service is still reading the chain{progress}. What is shown is true up to block {height}.',
        {
          progress: describeSync(sync) ?? behind,
          height: formatCount(index.height ?? 0),
        },
      );
    case 'starting':
      return t('This service has just started and has no block yet.');
    case 'node_unavailable':
      return t(
        'The coin node does not answer this service. What is shown is true up to the block named above; newer ones are missing.',
      );
    case 'node_behind':
      return t('The coin node of this service is behind what was read from it before, and is waited for.');
    case 'index_unavailable':
      return t('The database of this service does not answer. It is tried again by itself.');
    default:
      return t(
        'This service cannot follow the chain at the moment ({status}). What is shown may be out of date.',
        { status },
      );
  }
}

/** In transactions, since the blocks of a chain grow; undefined while that is not known. */
function describeSync(sync: HealthJson['sync']): string | undefined {
  if (!sync?.target_transactions) return undefined;
  const { transactions, target_transactions: all, target_estimated, seconds_left: left } = sync;
  const done = Math.floor((1_000 * transactions) / all) / 10;
  const time =
    left === null ? '' : t(', {duration} left at the present pace', { duration: formatDuration(left) });
  const values = { done: formatDecimal(String(done)), transactions: formatCountOf(all, 'transaction'), time };
  return target_estimated
    ? t(': about {done} % of {transactions}{time}', values)
    : t(': {done} % of {transactions}{time}', values);
}
