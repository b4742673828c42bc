import type { MomentJson } from '@coinfront/api/names.ts';
import { formatCount } from '../format/number.ts';
import { rich } from '../language/messages.ts';
import { BlockLink } from './links.tsx';
import { When } from './when.tsx';

/** A height with its time, which for a block to come is an estimate. */
export function Moment({ at }: { at: MomentJson }) {
  return at.estimated
    ? rich('block {height}, about {time}', { height: formatCount(at.height), time: <When at={at.time} /> })
    : rich('block {block}, {time}', {
        block: <BlockLink height={at.height} />,
        time: <When at={at.time} />,
      });
}

/** The block of a moment in a column of its own: a link where there is one already. */
export function BlockOf({ at }: { at: MomentJson }) {
  return at.estimated ? formatCount(at.height) : <BlockLink height={at.height} />;
}
