import type uPlot from 'uplot';
import { useStore } from '../data/store.ts';
import { times } from '../data/times.ts';
import type { Zone } from '../format/time.ts';
import { readInk } from './plot.tsx';
import { saveFile } from './save-file.ts';

/** What a colour of a plot stands for. */
export type PlotKey = { colour: string; text: string };

const TITLE_PX = 40;
const KEYS_PX = 32;
const KEY_GAP_PX = 18;

/** Saves a plot as a picture, with its title, whose clock it shows, and what its colours mean. */
export function PngButton({
  plot,
  title,
  fileName,
  readKeys = () => [],
}: {
  plot: { readonly current: uPlot | undefined };
  title: string;
  /** Without its ending. */
  fileName: string;
  readKeys?: () => readonly PlotKey[];
}) {
  const { zone } = useStore(times);
  return (
    <button
      type="button"
      class="act second"
      onClick={() =>
        plot.current && void savePicture(plot.current, `${title} (${nameZone(zone)})`, readKeys(), fileName)
      }
    >
      PNG
    </button>
  );
}

function nameZone(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** On the page's own ground: by itself a plot has none. */
async function savePicture(
  { ctx, root }: uPlot,
  title: string,
  keys: readonly PlotKey[],
  fileName: string,
): Promise<void> {
  const { canvas } = ctx;
  const scale = devicePixelRatio;
  const keysPx = keys.length === 0 ? 0 : KEYS_PX;
  const picture = Object.assign(document.createElement('canvas'), {
    width: canvas.width,
    height: canvas.height + (TITLE_PX + keysPx) * scale,
  });
  const ink = readInk(root);
  const drawn = picture.getContext('2d')!;
  drawn.fillStyle = ink.card;
  drawn.fillRect(0, 0, picture.width, picture.height);
  drawn.fillStyle = ink.text;
  drawn.font = `600 ${16 * scale}px ${ink.font}`;
  drawn.fillText(title, 16 * scale, 26 * scale);
  drawn.drawImage(canvas, 0, TITLE_PX * scale);
  drawn.font = `${12 * scale}px ${ink.font}`;
  let left = 16 * scale;
  const base = picture.height - 12 * scale;
  for (const { colour, text } of keys) {
    drawn.fillStyle = colour;
    drawn.fillRect(left, base - 9 * scale, 10 * scale, 10 * scale);
    drawn.fillStyle = ink.text;
    drawn.fillText(text, left + 14 * scale, base);
    left += 14 * scale + drawn.measureText(text).width + KEY_GAP_PX * scale;
  }
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (blob !== null) saveFile(blob, `${fileName}.png`);
}
