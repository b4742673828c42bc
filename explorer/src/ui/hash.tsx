import { shortenMiddle } from '../format/shorten.ts';
import type { Words } from '../language/messages.ts';
import { CopyButton } from './copy-button.tsx';

/** A hash, txid or address: shortened in the middle, whole on hover, with a copy button. */
export function Hash({
  value,
  what,
  href,
  ends = 8,
}: {
  value: string;
  what: Words;
  href?: string | undefined;
  ends?: number;
}) {
  const shown = shortenMiddle(value, ends);
  return (
    <span class="hash">
      {href === undefined ? (
        <span class="mono" title={value}>
          {shown}
        </span>
      ) : (
        <a class="mono" href={href} title={value}>
          {shown}
        </a>
      )}
      <CopyButton text={value} what={what} />
    </span>
  );
}
