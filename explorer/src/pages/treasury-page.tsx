import type { ReconciliationJson, TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { isZeroAmount } from '../format/amount.ts';
import { formatCount } from '../format/number.ts';
import { type MessageKey, rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink, BlockLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { Contribute } from './contribute.tsx';
import { TreasuryHistory } from './treasury-history.tsx';
import { Leaderboard, Ledger } from './treasury-lists.tsx';

/** The treasury: what came, what went, and that the books are those of the chain. */
export function TreasuryPage() {
  const status = useRead('treasury', (options) => getTreasuryStatus(client, options), 'tip and time');
  if (status.data === undefined && isNotFound(status.error)) {
    return (
      <>
        <PageTitle title="Treasury" />
        <Empty>{t('This coin has no treasury here.')}</Empty>
      </>
    );
  }
  return (
    <>
      <PageTitle
        title="Treasury"
        lead={t(
          'All income and spending of the treasury, reconciled with the chain at every block. Contributors appear under a nickname of their choice, or anonymously.',
        )}
      />
      <Reading read={status} what="the treasury">
        {(data) => (
          <>
            <TreasuryFigures status={data} />
            <div class="columns wide-left">
              <Reconciliation status={data} />
              <Contribute minimum={data.minimum_amount} />
            </div>
          </>
        )}
      </Reading>
      <TreasuryHistory />
      <Leaderboard />
      <Ledger />
    </>
  );
}

const unreconciled = {
  not_started: 'The ledger has not begun yet.',
  behind: 'The ledger is catching up with the chain.',
  reorganising: 'The chain is being reorganised.',
  other_address: 'The treasury has another address than the one of the ledger.',
} as const;

function TreasuryFigures({ status }: { status: TreasuryStatusJson }) {
  const { reconciliation } = status;
  return (
    <Figures>
      <Figure name="Balance">
        {reconciliation === null ? t('unknown') : <Amount value={reconciliation.utxo_total} />}
      </Figure>
      <Figure name="Verified contributions">
        {reconciliation === null ? t('unknown') : <Amount value={reconciliation.verified_in} />}
      </Figure>
      <Figure name="Contributors">{formatCount(status.contributors)}</Figure>
      <Figure name="Confirmations required" note={t('confirmations')}>
        {formatCount(status.confirmations_required)}
      </Figure>
    </Figures>
  );
}

function Reconciliation({ status }: { status: TreasuryStatusJson }) {
  const { reconciliation: books } = status;
  return (
    <Section
      title="Reconciliation"
      aside={
        books && rich('all figures at block {block}', { block: <BlockLink height={books.as_of.height} /> })
      }
    >
      <Facts>
        <Fact name="Address">
          <AddressLink address={status.address} ends={10} />
        </Fact>
        {status.head !== null && (
          <Fact name="Ledger head">
            {t('entry {number}', { number: formatCount(status.head.sequence) })}{' '}
            <Hash value={status.head.hash} what="hash of the newest entry" ends={10} />
          </Fact>
        )}
      </Facts>
      {books === null ? (
        <p class="note">
          {t(
            status.unreconciled_reason === null
              ? 'It cannot be compared with the chain at the moment.'
              : unreconciled[status.unreconciled_reason],
          )}{' '}
          {t('Figures that may be wrong are not shown.')}
        </p>
      ) : (
        <Books books={books} />
      )}
    </Section>
  );
}

function Books({ books }: { books: ReconciliationJson }) {
  const isRight = isZeroAmount(books.difference) && books.unexplained.length === 0;
  const lines: readonly (readonly [MessageKey, string])[] = [
    ['Verified contributions', books.verified_in],
    ['Waiting for confirmations', books.confirming_in],
    ['Not attributed', books.unattributed_in],
    ['Mined to it', books.coinbase_in],
    ['Came back as change', books.change_in],
    ['Spent', minus(books.out)],
    ['Fees of spends', minus(books.fees)],
  ];
  return (
    <>
      <Facts layout="right">
        {lines.map(([name, amount]) => (
          <Fact key={name} name={name}>
            <Amount value={amount} />
          </Fact>
        ))}
        <Fact name="Ledger total">
          <strong>
            <Amount value={books.ledger_total} />
          </strong>
        </Fact>
        <Fact name="Unspent outputs on the chain">
          <strong>
            <Amount value={books.utxo_total} />
          </strong>
        </Fact>
        <Fact name="Difference">
          <Mark tone={isRight ? 'done' : 'failed'}>{t(isRight ? 'none' : 'unexplained')}</Mark>{' '}
          <Amount value={books.difference} />
        </Fact>
      </Facts>
      {books.unexplained.map((output) => (
        <p key={`${output.txid}:${output.vout}`} class="trouble">
          {rich(
            output.side === 'ledger'
              ? '{tx} output {index}, {amount}: unspent only in the ledger'
              : '{tx} output {index}, {amount}: unspent only in the chain',
            {
              tx: <TxLink txid={output.txid} />,
              index: output.vout,
              amount: <Amount value={output.amount} />,
            },
          )}
        </p>
      ))}
    </>
  );
}

function minus(amount: string): string {
  return isZeroAmount(amount) ? amount : `-${amount}`;
}
