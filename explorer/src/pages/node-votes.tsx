import type { ReceiptJson } from '@coinfront/api/registry.ts';
import { verdictTones } from '../format/verdict.ts';
import { sayCode, t } from '../language/messages.ts';
import { Hash } from '../ui/hash.tsx';
import { Mark } from '../ui/mark.tsx';

type Votes = NonNullable<ReceiptJson['receipt']['votes']>;

/** Who saw the node in a slot, by their keys; each leads to what it has signed. */
export function NodeVotes({ votes, registryKey }: { votes: Votes; registryKey: string }) {
  return (
    <details>
      <summary>
        {t('{passed} of {all} saw it pass', {
          passed: votes.filter(({ result }) => result === 'pass').length,
          all: votes.length,
        })}
      </summary>
      <ul>
        {votes.map(({ vantage, statements, result, reason }) => (
          <li key={vantage}>
            <Hash value={vantage} what="key of a vantage point" ends={5} />{' '}
            <Mark tone={verdictTones[result]}>{sayCode(result)}</Mark>{' '}
            <span class="quiet">
              {sayCode(reason)}
              {vantage === registryKey && ` (${t('this registry')})`}
            </span>
            {statements.map((hash) => (
              <>
                {' '}
                <a key={hash} href={`/api/nodeproof/looks/${hash}`}>
                  {t('signed')}
                </a>
              </>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
