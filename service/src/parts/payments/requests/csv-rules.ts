/**
 * Tables as RFC 4180 has them, for spreadsheets that take what begins with =, +, - or @ for a formula.
 *
 * A spreadsheet may divide lines by another character than the comma and not know our quotes then. So a formula is
 * defused wherever a cell could be taken to begin: at the beginning of a text, and within it after ; and after control
 * characters that divide cells or lines. An apostrophe makes it a text.
 */

/** What a spreadsheet passes over before it looks for a formula: white space, what is not seen, quotes. */
const skipped = String.raw`[\s\p{Cf}"'“”„‘’＂＇]*`;
const formula = String.raw`${skipped}[=+\-@＝＋－﹦﹢﹣−＠﹫]`;
const formulaWithin = new RegExp(`[;\\t\\r\\n](?=${formula})`, 'gu');
/** Control characters at the beginning are more than a text to some spreadsheets. */
const formulaFirst = new RegExp(`^(?=[\\t\\r\\n]|${formula})`, 'u');

/** One line of a table, with its end. */
export function writeCsvLine(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(text: string): string {
  const defused = text.replace(formulaWithin, "$&'").replace(formulaFirst, "'");
  return /[",;\s]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}
