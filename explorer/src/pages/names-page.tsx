import { type GetNameStatusResult, getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { listNameOperations } from '@coinfront/sdk/names/list-name-operations.ts';
import { useBlockInterval } from '../data/block-interval.ts';
import { client } from '../data/client.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { rich, t } from '../language/messages.ts';
import { goTo, pathOf } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { AllNames, ExpiringNames } from './name-lists.tsx';
import { NameOperations } from './name-operations.tsx';

/** The registry: is a name free, what does it cost, what happened. */
export function NamesPage() {
  const cursor = useCursor();
  const status = useRead('name status', (options) => getNameStatus(client, options), 'tip');
  const operations = useListRead(
    'name operations',
    cursor,
    (options) => listNameOperations(client, { limit: 25, cursor }, options),
    'tip',
  );
  return (
    <>
      <PageTitle
        title="Names"
        lead={t(
          'A name points to an address. It belongs to whoever registered it on the chain, until it expires.',
        )}
      />
      <NameForm tlds={status.data?.rules.tlds ?? []} />
      <Reading read={status} what="the registry">
        {(data) => <Registry status={data} />}
      </Reading>
      <ExpiringNames />
      <AllNames />
      <Section title="Latest operations">
        <Reading read={operations} what="operations">
          {(page) => <NameOperations page={page} what="operations" showsName />}
        </Reading>
      </Section>
    </>
  );
}

function NameForm({ tlds }: { tlds: readonly string[] }) {
  const ending = tlds[0];
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        const given = String(new FormData(event.currentTarget).get('name') ?? '').trim();
        if (given === '') return;
        goTo(pathOf('name', given.includes('.') || ending === undefined ? given : `${given}.${ending}`));
      }}
    >
      <label for="name">
        {ending === undefined ? t('A name') : t('A name, such as shop.{ending}', { ending })}
      </label>
      <span class="row">
        <input
          id="name"
          name="name"
          maxLength={64}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
        <button type="submit" class="act">
          {t('Is it free?')}
        </button>
      </span>
    </form>
  );
}

function Registry({ status }: { status: GetNameStatusResult }) {
  const { rules, totals } = status;
  const { seconds: interval } = useBlockInterval();
  const blocks = (count: number) =>
    t('{blocks}, about {duration}', {
      blocks: formatCountOf(count, 'block'),
      duration: formatDuration(count * interval),
    });
  return (
    <>
      <Section title="Registry">
        <Figures>
          <Figure name="Registered">{formatCount(totals.registered)}</Figure>
          <Figure name="Names registered">{formatCount(totals.names)}</Figure>
          <Figure
            name="Operations"
            note={t('{count} invalid', {
              count: formatCount(totals.invalid_operations),
            })}
          >
            {formatCount(totals.operations)}
          </Figure>
          <Figure name="Paid">
            <Amount value={totals.paid} />
          </Figure>
        </Figures>
      </Section>
      <div class="columns">
        <Section title="Prices" aside={t('per period of {blocks}', { blocks: blocks(rules.period_blocks) })}>
          <Table columns={['Letters', { heading: 'Price', class: 'number' }]}>
            {(status.prices.at(-1)?.by_length ?? []).map((row, index, all) => {
              const from = index === 0 ? rules.min_label_length : (all[index - 1]?.max_length ?? 0) + 1;
              return (
                <tr key={row.max_length}>
                  <td>
                    {from === row.max_length ? from : t('{from} to {to}', { from, to: row.max_length })}
                  </td>
                  <td class="number">
                    <Amount value={row.per_period} />
                  </td>
                </tr>
              );
            })}
          </Table>
        </Section>
        <Section title="Rules">
          <Facts>
            <Fact name="Suffixes">{rules.tlds.map((tld) => `.${tld}`).join(' ')}</Fact>
            <Fact name="Earliest reveal">{blocks(rules.commit_maturity_blocks)}</Fact>
            <Fact name="Latest reveal">{blocks(rules.commit_lifetime_blocks)}</Fact>
            <Fact name="Longest registration">{formatCountOf(rules.max_periods, 'period')}</Fact>
            <Fact name="Grace">{blocks(rules.grace_blocks)}</Fact>
            <Fact name="Premium after grace">
              {rich('{amount}, falling for {blocks}', {
                amount: <Amount value={rules.premium_start} />,
                blocks: blocks(rules.premium_blocks),
              })}
            </Fact>
            {rules.reverse_activation_height !== null && (
              <Fact name="Reverse records">
                {t('from block {height}', { height: formatCount(rules.reverse_activation_height) })}
              </Fact>
            )}
            {rules.records_activation_height !== null && (
              <Fact name="Text records">
                {t('from block {height}', { height: formatCount(rules.records_activation_height) })}
              </Fact>
            )}
            <Fact name="Chain hash">
              <Hash value={status.chain_hash} what="chain hash" />
            </Fact>
          </Facts>
        </Section>
      </div>
    </>
  );
}
