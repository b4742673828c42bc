/** A received value as it may be shown in a detail: short, printable, quoted. */
export function quoteReceived(value: unknown, maxLength = 40): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const clean = text.slice(0, maxLength).replace(/[^\x20-\x7e]/g, '?');
  return `"${clean}${text.length > maxLength ? '…' : ''}"`;
}
