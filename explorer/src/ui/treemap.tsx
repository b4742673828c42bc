import { FEE_BANDS, feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { findRect, layoutBlock, type Rect } from '../format/treemap-layout.ts';
import { useTheme } from './use-theme.ts';

/** A transaction that is drawn. */
export type TreemapTx = { txid: string; vsize: number; rate: number };

/** Below this width a rectangle has no gap beside it: there would be nothing of it left. */
const GAP_FROM_PX = 3;

/**
 * Transactions as rectangles, as large as they are, coloured by their fee rates. The pointer or the arrow keys choose one, of which more is said
 * below; a click or Enter opens it.
 */
export function Treemap({
  label,
  txs,
  say,
  hint,
  onOpen,
}: {
  label: string;
  /** In the order in which the arrow keys go through them. */
  txs: readonly TreemapTx[];
  /** What is said of the transaction of this index. */
  say: (index: number) => { text: string; shown: ComponentChildren };
  /** What is said while none is chosen. */
  hint: string;
  onOpen: (txid: string) => void;
}) {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const rects = useDrawing(box, canvas, txs);
  const at = chosen === undefined ? -1 : txs.findIndex(({ txid }) => txid === chosen);
  const said = at < 0 ? undefined : say(at);
  const rect = at < 0 ? undefined : rects[at];
  const findAt = (event: MouseEvent) => findRect(rects, event.offsetX, event.offsetY);

  function step(event: KeyboardEvent): void {
    if (event.key === 'Enter' && at >= 0) onOpen(txs[at]!.txid);
    const to = steps[event.key]?.(at, txs.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    setChosen(txs[Math.max(0, Math.min(txs.length - 1, to))]!.txid);
  }

  return (
    <figure>
      {/* A slider is what screen readers know that goes through many values by the arrow keys and says the present one. */}
      <div
        class="treemap"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={txs.length}
        aria-valuenow={Math.max(1, at + 1)}
        aria-valuetext={said?.text ?? hint}
        onKeyDown={step}
        onPointerMove={(event) => event.pointerType === 'mouse' && setChosen(txs[findAt(event)]?.txid)}
        onClick={(event) => {
          const index = findAt(event);
          const txid = txs[index]?.txid;
          // A finger has not pointed before it taps: the first tap says what is there.
          if (txid !== undefined && index === at) onOpen(txid);
          else setChosen(txid);
        }}
      >
        <canvas ref={canvas} />
        {rect !== undefined && (
          <span
            class="treemap-at"
            style={{
              left: `${rect.x}px`,
              top: `${rect.y}px`,
              width: `${rect.width}px`,
              height: `${rect.height}px`,
            }}
          />
        )}
      </div>
      <figcaption class="chart-says">{said?.shown ?? hint}</figcaption>
    </figure>
  );
}

const FAR = 50;

/** Where keys lead from a transaction; -1 is before the first. */
const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + FAR,
  PageUp: (at) => at - FAR,
  Home: () => 0,
  End: (_, last) => last,
};

/** Draws the transactions as large as their box is, and again when that changes or the colours do. @returns their rectangles */
function useDrawing(
  box: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  txs: readonly TreemapTx[],
): readonly Rect[] {
  const theme = useTheme();
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [rects, setRects] = useState<readonly Rect[]>([]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {};
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (size.width === 0) return;
    const laidOut = layoutBlock(txs, { x: 0, y: 0, ...size });
    draw(canvas.current!, size, txs, laidOut);
    setRects(laidOut);
  }, [txs, size, theme]);
  return rects;
}

function draw(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  txs: readonly TreemapTx[],
  rects: readonly Rect[],
): void {
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const style = getComputedStyle(canvas);
  const colours = FEE_BANDS.map((_, band) => style.getPropertyValue(`--fee-${band}`));
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  for (const [index, rect] of rects.entries()) {
    context.fillStyle = colours[feeBandOf(txs[index]!.rate)]!;
    const gap = Math.min(rect.width, rect.height) < GAP_FROM_PX ? 0 : 1;
    context.fillRect(rect.x, rect.y, rect.width - gap, rect.height - gap);
  }
}
