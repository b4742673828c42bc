/** The newest part of the changelog, for the page of those who build on the service. */

/** Characters of it at most: some screens of text. */
const MOST_CHARACTERS = 24_000;

/** The sections of the changelog from the newest on, whole lines, as many as there is room for. */
export function takeLatestChanges(changelog: string): string {
  const start = changelog.indexOf('\n## ');
  if (start < 0) return '';
  const text = changelog.slice(start + 1);
  if (text.length <= MOST_CHARACTERS) return text.trimEnd();
  const cut = text.slice(0, MOST_CHARACTERS);
  // An entry goes on in indented lines: the last one may be in pieces.
  return cut.slice(0, Math.max(cut.lastIndexOf('\n- '), 0)).trimEnd();
}
