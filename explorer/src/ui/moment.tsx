import type { MomentJson } from '@coinfront/api/names.ts';
import { formatCount } from '../format/number.ts';
import { BlockLink } from './links.tsx';
import { When } from './when.tsx';

/** A height with its time, which for a block to come is an estimate. */
export function Moment({ at }: { at: MomentJson }) {
  return at.estimated ? (
    <>
      block {formatCount(at.height)}, about <When at={at.time} />
    </>
  ) : (
    <>
      block <BlockLink height={at.height} />, <When at={at.time} />
    </>
  );
}
