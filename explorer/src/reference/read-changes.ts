/** The changelog as it is shown: its sections, and the entries of each. */

/** One section, such as a version. */
export type ChangeSection = { title: string; groups: { title: string; entries: string[] }[] };

/** Reads the changelog's own form: `## Version`, `### Kind`, `- entry` with further lines indented. */
export function readChanges(text: string): ChangeSection[] {
  const sections: ChangeSection[] = [];
  for (const line of text.split('\n')) {
    const section = sections.at(-1);
    const group = section?.groups.at(-1);
    if (line.startsWith('## ')) sections.push({ title: line.slice(3), groups: [] });
    else if (line.startsWith('### ')) section?.groups.push({ title: line.slice(4), entries: [] });
    else if (line.startsWith('- ')) group?.entries.push(line.slice(2));
    else if (line.startsWith('  ') && group !== undefined && group.entries.length > 0)
      group.entries.push(`${group.entries.pop()} ${line.trim()}`);
  }
  return sections;
}

/** A piece of an entry: words, or what is written as code. */
export type ChangePiece = { text: string; isCode: boolean };

/** Takes an entry apart. Links lead into the documentation, which is not here: their words are left. */
export function splitEntry(entry: string): ChangePiece[] {
  return entry
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split('`')
    .map((text, i) => ({ text, isCode: i % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
