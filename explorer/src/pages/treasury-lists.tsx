import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { listContributors } from '@coinfront/sdk/treasury/list-contributors.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { findOperatorsWords, listEntryWords } from '../format/entry-words.ts';
import { formatCount } from '../format/number.ts';
import { rich, sayCode, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

/** Who has given most, by verified contributions. */
export function Leaderboard() {
  const cursor = useCursor('contributor_cursor');
  const board = useListRead(
    'contributors',
    cursor,
    (options) => listContributors(client, { limit: 25, cursor }, options),
    'tip and time',
  );
  return (
    <Section title="Contributors">
      <Reading read={board} what="contributors">
        {(page) => (
          <PagedTable
            page={page}
            what="contributors"
            cursorName="contributor_cursor"
            empty="Nobody has given anything yet. You could be the first."
            columns={[
              { heading: 'Place', class: 'number' },
              'Contributor',
              { heading: 'Contributions', class: 'number wide' },
              { heading: 'Since block', class: 'number wide' },
              { heading: 'Verified', class: 'number' },
            ]}
            row={(row) => (
              <tr key={row.rank}>
                <td class="number">{formatCount(row.rank)}</td>
                <td>
                  <bdi class="foreign-line">{row.contributor.name}</bdi>
                </td>
                <td class="number wide">{formatCount(row.contributions)}</td>
                <td class="number wide">
                  <BlockLink height={row.first_verified_height} />
                </td>
                <td class="number">
                  <Amount value={row.verified_total} unit="" />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

/** All that moved the treasury, newest first. */
export function Ledger() {
  const cursor = useCursor();
  const ledger = useListRead(
    'ledger',
    cursor,
    (options) => listLedger(client, { limit: 25, cursor }, options),
    'tip and time',
  );
  return (
    <Section title="Ledger" aside={t('each entry is signed and commits to the one before')}>
      <Reading read={ledger} what="the ledger">
        {(page) => (
          <PagedTable
            page={page}
            what="the ledger"
            empty="Nothing has come to the treasury yet."
            columns={[
              { heading: 'No', class: 'number' },
              'Age',
              'Entry',
              { heading: 'Transaction', class: 'wide' },
              { heading: 'Balance', class: 'number wide' },
              { heading: 'Amount', class: 'number' },
            ]}
            row={(entry) => <EntryRow key={entry.sequence} entry={entry} />}
          />
        )}
      </Reading>
    </Section>
  );
}

/** What a spend was for. Nothing of the chain says so. */
function OperatorsWords({ about }: { about: NonNullable<LedgerEntryJson['note']> }) {
  return (
    <p class="quiet">
      {rich('The operator says: {purpose}, paid to {payee} (entry {number})', {
        purpose: <bdi class="foreign-line">{about.purpose}</bdi>,
        payee: <bdi class="foreign-line">{about.payee}</bdi>,
        number: formatCount(about.sequence),
      })}
    </p>
  );
}

const stateTones = { confirming: 'moving', verified: 'done', reversed: 'warning' } as const;

function EntryRow({ entry }: { entry: LedgerEntryJson }) {
  const words = findOperatorsWords(entry);
  return (
    <tr>
      <td class="number">{formatCount(entry.sequence)}</td>
      <td>
        <When at={entry.block_time} />
      </td>
      <td>
        {sayCode(entry.kind)} <Mark tone={stateTones[entry.state]}>{sayCode(entry.state)}</Mark>{' '}
        {entry.contributor !== null && <bdi class="foreign-line">{entry.contributor.name}</bdi>}{' '}
        <span class="quiet wide">{listEntryWords(entry).join(', ')}</span>
        {words !== undefined && <OperatorsWords about={words} />}
      </td>
      <td class="wide">
        <TxLink txid={entry.txid} ends={6} />
      </td>
      <td class="number wide">
        <Amount value={entry.balance} unit="" />
      </td>
      <td class="number">
        <Amount value={entry.amount} unit="" signed />
      </td>
    </tr>
  );
}
