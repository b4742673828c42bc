import { encodeQR } from 'qr';

const QUIET_ZONE = 4;
/** More than any address or payment link has, and less than makes a code that nothing can read. */
const LONGEST = 600;

/** A text as QR code; black on white whatever the colours of the page. */
export function QrCode({ text, label }: { text: string; label: string }) {
  if (text.length > LONGEST) return null;
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path stroke="#000" d={rows.map(drawRow).join('')} />
    </svg>
  );
}

/** The dark runs of a row as strokes one module wide. */
function drawRow(row: readonly boolean[], y: number): string {
  let path = '';
  let x = 0;
  while (x < row.length) {
    let end = x;
    while (row[end] === true) end += 1;
    if (end > x) path += `M${x} ${y}.5h${end - x}`;
    x = end + 1;
  }
  return path;
}
