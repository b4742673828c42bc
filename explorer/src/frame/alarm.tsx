import type { HealthJson } from '@coinfront/api/chain-state.ts';
import { health, lostSinceMs } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { formatCountOf } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';

/** Said when what is shown may be out of date, and why; nothing while all is well. */
export function Alarm() {
  const state = useStore(health);
  const lostSince = useStore(lostSinceMs);
  const text = lostSince === undefined ? state && describeHealth(state) : describeLoss(lostSince);
  return <div role="status">{text !== undefined && <p class="alarm">{text}</p>}</div>;
}

function describeLoss(sinceMs: number): string {
  return `No connection to the service since ${new Date(sinceMs).toLocaleTimeString()}. What you see is what it last said; it is tried again by itself.`;
}

function describeHealth({ status, lag_blocks: lag, index, sync }: HealthJson): string | undefined {
  const behind = lag === null ? '' : `, ${formatCountOf(lag, 'block')} behind`;
  switch (status) {
    case 'ready':
      return undefined;
    case 'lagging':
      return `This service is catching up${behind}. The newest blocks may be missing here.`;
    case 'syncing':
      return `This service is still reading the chain${describeSync(sync) ?? behind}. What is shown is true up to block ${index.height ?? 0}.`;
    case 'starting':
      return 'This service has just started and has no block yet.';
    case 'node_unavailable':
      return 'The coin node does not answer this service. What is shown is true up to the block named above; newer ones are missing.';
    case 'node_behind':
      return 'The coin node of this service is behind what was read from it before, and is waited for.';
    case 'index_unavailable':
      return 'The database of this service does not answer. It is tried again by itself.';
    default:
      return `This service cannot follow the chain at the moment (${status}). What is shown may be out of date.`;
  }
}

/** In transactions, since the blocks of a chain grow; undefined while that is not known. */
function describeSync(sync: HealthJson['sync']): string | undefined {
  if (!sync?.target_transactions) return undefined;
  const { transactions, target_transactions: all, target_estimated, seconds_left: left } = sync;
  const done = Math.floor((1_000 * transactions) / all) / 10;
  const about = target_estimated ? 'about ' : '';
  const time = left === null ? '' : `, ${formatDuration(left)} left at the present pace`;
  return `: ${about}${done} % of ${formatCountOf(all, 'transaction')}${time}`;
}
