import type { NameOperationJson } from '@coinfront/api/names.ts';
import { formatCountOf } from '../format/number.ts';
import { language, sayCode, t, type Words } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockLink, NameLink, PartyLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { When } from '../ui/when.tsx';

/** Operations, newest first; invalid ones say why they changed nothing. */
export function NameOperations({
  page,
  what,
  showsName,
}: {
  page: { items: readonly NameOperationJson[]; next_cursor: string | null };
  what: Words;
  showsName: boolean;
}) {
  return (
    <PagedTable
      page={page}
      what={what}
      empty="Nobody has registered a name yet."
      columns={[
        'Age',
        'Operation',
        ...(showsName ? (['Name'] as const) : []),
        { heading: 'By', class: 'wide' },
        { heading: 'Transaction', class: 'wide' },
        { heading: 'Block', class: 'number wide' },
      ]}
      row={(operation) => (
        <tr key={operation.txid}>
          <td>
            <When at={operation.time} />
          </td>
          <td>
            {operation.valid ? (
              <Mark tone="done">{operation.kind === null ? t('unknown') : sayCode(operation.kind)}</Mark>
            ) : (
              <>
                <Mark tone="failed">{t('invalid')}</Mark> {sayCode(operation.kind)}{' '}
                <span class="quiet">{language.codes[operation.reason ?? ''] ?? operation.reason_text}</span>
              </>
            )}{' '}
            {operation.periods !== null && (
              <span class="quiet wide">
                {formatCountOf(operation.periods, 'period')}
                {operation.paid !== null && (
                  <>
                    , <Amount value={operation.paid} />
                  </>
                )}
              </span>
            )}
          </td>
          {showsName && (
            <td>
              {operation.name === null ? <span class="quiet">–</span> : <NameLink name={operation.name} />}
            </td>
          )}
          <td class="wide">
            <PartyLink party={operation.new_owner ?? operation.sender} />
          </td>
          <td class="wide">
            <TxLink txid={operation.txid} ends={6} />
          </td>
          <td class="number wide">
            <BlockLink height={operation.height} />
          </td>
        </tr>
      )}
    />
  );
}
