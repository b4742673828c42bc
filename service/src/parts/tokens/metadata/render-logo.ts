import { createHash } from 'node:crypto';
import { metadataLimits } from '@coinfront/api/token-metadata.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import sharp from 'sharp';
import { readImageHeader } from '../../../image-header.ts';

/** A logo as it is served: a PNG made here. */
export type RenderedLogo = { png: Buffer; sha256: string; width: number; height: number };

/** What is waited for while one is being decoded; more are told to come again. */
const MAX_WAITING = 8;
/** Longest time that one may take, seconds. */
const TIMEOUT_SECONDS = 10;

// The three decoders that are wanted and no other of the library's, which also knows SVG, PDF, TIFF and more.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** Thrown when too many logos wait to be decoded. */
export class LogoQueueFullError extends Error {}

/** Makes logos, one after the other: the memory that decoding takes is that of one. */
export type RenderLogo = (file: Buffer) => Promise<Result<RenderedLogo>>;

/** Creates the renderer. Reasons of its failures continue "the logo". */
export function createLogoRenderer(): RenderLogo {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (file) => {
    const header = readImageHeader(file);
    if (!header.ok) return header;
    const { width, height } = header.value;
    const most = metadataLimits.logoPixels;
    if (width < 1 || height < 1 || width > most || height > most)
      return fail(`has ${width} times ${height} pixels; at most ${most} a side are accepted`);
    if (waiting >= MAX_WAITING) throw new LogoQueueFullError('too many logos at once');
    waiting += 1;
    const rendered = last.then(() => render(file, header.value));
    last = rendered
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return await rendered;
  };
}

/** Decodes the pixels and writes them anew: nothing of the file is left but what is seen. */
async function render(
  file: Buffer,
  header: { kind: string; width: number; height: number },
): Promise<Result<RenderedLogo>> {
  const side = metadataLimits.shownLogoPixels;
  try {
    const image = sharp(file, {
      failOn: 'error',
      limitInputPixels: metadataLimits.logoPixels ** 2,
      pages: 1,
      sequentialRead: true,
    });
    const read = await image.metadata();
    // The decoder must have seen the image that the header was read of.
    if (read.format !== header.kind || read.width !== header.width || read.height !== header.height)
      return fail('is not what its header says');
    const { data, info } = await image
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true });
    const sha256 = createHash('sha256').update(data).digest('hex');
    return ok({ png: data, sha256, width: info.width, height: info.height });
  } catch {
    // What the library says may hold paths, and is of no help to a person.
    return fail('cannot be decoded: it is damaged or cut off');
  }
}
