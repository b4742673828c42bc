/** A command of a document, and what the document says that it prints. */
export type ShownCommand = {
  readonly command: string;
  readonly output: readonly string[];
};

/** The commands of all ```console blocks of a Markdown text, in their order. */
export function readShownCommands(markdown: string): ShownCommand[] {
  const commands: { command: string; output: string[] }[] = [];
  for (const [, block = ''] of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    for (const line of block.trimEnd().split('\n')) {
      const last = commands.at(-1);
      if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] });
      else if (last?.output.length === 0 && last.command.endsWith('\\')) last.command += `\n${line}`;
      else last?.output.push(line);
    }
  }
  return commands;
}

/**
 * The pieces of an output that must be found, in any run: what is another one in each run (ids, addresses, times, figures, words of
 * a wallet) is made alike, and `…` stands for anything.
 */
export function piecesOf(output: readonly string[]): string[] {
  return output
    .filter((line) => !/^\s*\d+\. \w+/.test(line))
    .flatMap((line) => line.split('…'))
    .map(alike)
    .filter((piece) => piece !== '');
}

/** A text without what differs from run to run. */
export function alike(text: string): string {
  return text
    .replaceAll('\r', '')
    .replaceAll(/(type word \d+: )\w+/g, '$1word')
    .replaceAll(/\/[\w./-]*wallet\.json/g, '<file>')
    .replaceAll(/VP-[0-9A-Z]{12}/g, '<payment>')
    .replaceAll(/\brltc1[0-9a-z]{20,}/g, '<address>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/\b(bc1|ltc1)[0-9a-z]+/g, '<address>')
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '<time>')
    .replaceAll(/\d[\d.]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
