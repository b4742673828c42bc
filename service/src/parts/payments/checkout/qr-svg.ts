import { encodeQR } from 'qr';
import { type Html, html, trustHtml } from '../../../http/html.ts';

/** Modules of white that a reader needs around a code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text as QR code, black on white whatever the page's colours: readers want the contrast. */
export function drawQrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  return trustHtml(
    `<svg class="qr" role="img" aria-label="${html`${label}`.html}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
      `<rect width="${size}" height="${size}" fill="#fff"/><path stroke="#000" d="${rows.map(drawRow).join('')}"/></svg>`,
  );
}

/** The dark runs of a row as strokes one module wide. */
function drawRow(row: readonly boolean[], y: number): string {
  let path = '';
  let x = 0;
  let pen = -1;
  while (x < row.length) {
    let end = x;
    while (row[end] === true) end += 1;
    if (end > x) {
      path += `${pen < 0 ? `M${x} ${y}.5` : `m${x - pen} 0`}h${end - x}`;
      pen = end;
    }
    x = end + 1;
  }
  return path;
}
