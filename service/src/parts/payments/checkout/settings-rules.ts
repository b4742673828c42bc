/** What a merchant can have shown on its checkout page: pure, as it is checked before it is stored. */

import { type CheckoutSettingsRequestJson, checkoutLimits } from '@coinfront/api/checkout.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { AppError } from '../../../errors.ts';
import { readImageHeader } from '../../../image-header.ts';
import { findTextFault } from '../../../shown-text.ts';
import { checkEmbedOrigin, type IsOpenedHost } from './browser-address-rules.ts';
import type { Mark } from './checkout-view.ts';

/** Settings that can be shown. */
export type CheckoutSettings = {
  name: string | null;
  mark: Mark | null;
  embedOrigins: readonly string[];
};

/**
 * Checks a body that fits its schema.
 *
 * @throws AppError `invalid_body`, `mark_invalid`, `embed_origin_refused`
 */
export function checkSettings(
  { name = null, mark = null, embed_origins = [] }: CheckoutSettingsRequestJson,
  isOpened: IsOpenedHost,
): CheckoutSettings {
  const nameFault = name === null ? undefined : findTextFault(name, checkoutLimits.nameLength, true);
  if (nameFault !== undefined) throw new AppError('invalid_body', `"name" ${nameFault}.`);
  const checkedMark = mark === null ? null : readMark(mark);
  if (checkedMark !== null && !checkedMark.ok)
    throw new AppError('mark_invalid', `"mark" ${checkedMark.reason}.`);
  const origins = embed_origins.map((given, i) => {
    const origin = checkEmbedOrigin(given, isOpened);
    if (origin.ok) return origin.value;
    throw new AppError('embed_origin_refused', `"embed_origins/${i}" ${origin.reason}.`);
  });
  return { name, mark: checkedMark?.value ?? null, embedOrigins: [...new Set(origins)] };
}

/** What a browser is told of the picture is what its own bytes say. */
function readMark(base64: string): Result<Mark> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return fail('is no base64 (RFC 4648)');
  const { markBytes, markPixels } = checkoutLimits;
  if (bytes.length > markBytes) return fail(`has ${bytes.length} bytes; ${markBytes} are accepted`);
  const header = readImageHeader(bytes);
  if (!header.ok) return fail(header.reason);
  const { kind, width, height } = header.value;
  if (kind === 'jpeg') return fail('is a JPEG; give a PNG or WebP');
  if (width < 1 || height < 1 || width > markPixels || height > markPixels)
    return fail(`has ${width} times ${height} pixels; at most ${markPixels} a side are accepted`);
  return ok({ kind, base64, width, height });
}
