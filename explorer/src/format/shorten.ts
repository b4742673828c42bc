/** A hash, txid or address as it is shown in a line: its beginning and its end. */
export function shortenMiddle(text: string, ends = 8): string {
  const characters = [...text];
  if (characters.length <= ends * 2 + 1) return text;
  return `${characters.slice(0, ends).join('')}…${characters.slice(-ends).join('')}`;
}
