import { useState } from 'preact/hooks';
import { t } from '../language/messages.ts';

/**
 * Chooses a stretch of a chart by keys, or by touch: what a mouse draws over. It is seen where there is no mouse, and once it had the focus: if
 * it went with the focus, what stands below would move away under the pointer that takes it.
 */
export function StretchPicker({
  last,
  say,
  onChange,
  onSelect,
}: {
  /** Index of the last point. */
  last: number;
  /** What is said of the point of this index. */
  say: (index: number) => string;
  onChange: (from: number, to: number) => void;
  onSelect: (from: number, to: number) => void;
}) {
  const [{ from, to }, setStretch] = useState({ from: 0, to: last });
  const [isShown, setShown] = useState(() => matchMedia('(hover: none)').matches);
  const change = (next: { from: number; to: number }): void => {
    setStretch(next);
    onChange(next.from, next.to);
  };
  return (
    <div class={isShown ? 'row' : 'unseen'} onFocusIn={() => setShown(true)}>
      <input
        type="range"
        min={0}
        max={last - 1}
        value={from}
        aria-label={t('First point of a stretch')}
        aria-valuetext={say(from)}
        onInput={({ currentTarget }) => {
          const first = Number(currentTarget.value);
          change({ from: first, to: Math.max(to, first + 1) });
        }}
      />
      <input
        type="range"
        min={1}
        max={last}
        value={to}
        aria-label={t('Last point of a stretch')}
        aria-valuetext={say(to)}
        onInput={({ currentTarget }) => {
          const end = Number(currentTarget.value);
          change({ from: Math.min(from, end - 1), to: end });
        }}
      />
      <button type="button" class="act second" onClick={() => onSelect(from, to)}>
        {t('Zoom in')}
      </button>
    </div>
  );
}
