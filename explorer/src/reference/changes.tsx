import text from 'virtual:latest-changes';
import { t } from '../language/messages.ts';
import { readChanges, splitEntry } from './read-changes.ts';

/** The newest part of the changelog. */
export function Changes() {
  const sections = readChanges(text);
  if (sections.length === 0) return <p class="note">{t('This build has no changelog.')}</p>;
  return (
    <div class="changes" lang="en">
      {sections.map(({ title, groups }) => (
        <div key={title}>
          <h3>{title}</h3>
          {groups.map((group) => (
            <div key={group.title}>
              <strong>{group.title}</strong>
              <ul>
                {group.entries.map((entry) => (
                  <li key={entry}>
                    {splitEntry(entry).map((piece, i) =>
                      piece.isCode ? <code key={i}>{piece.text}</code> : piece.text,
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
