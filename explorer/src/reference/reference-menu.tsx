import { t } from '../language/messages.ts';
import type { OperationGroups } from './filter-operations.ts';

/** Where the menu stands beside the operations, as the style sheet has it. */
const BESIDE = '(min-width: 60rem)';

/** All operations with links to each; on a small window closed, above them. */
export function ReferenceMenu({ groups }: { groups: OperationGroups }) {
  return (
    <nav class="side" aria-label={t('Operations')}>
      <details open={matchMedia(BESIDE).matches}>
        <summary>{t('Operations')}</summary>
        {groups.map(([tag, operations]) => (
          <div key={tag}>
            <strong>{tag}</strong>
            <ul class="plain">
              {operations.map(({ method, path, operation }) => (
                <li key={`${method} ${path}`}>
                  <a href={`#${operation.operationId}`} lang="en">
                    {operation.summary ?? path}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </details>
    </nav>
  );
}
