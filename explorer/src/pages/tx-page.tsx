import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import type { TxMempoolJson } from '@coinfront/api/chain-tx-mempool.ts';
import { getTransaction } from '@coinfront/sdk/chain/get-transaction.ts';
import { getTransactionInMempool } from '@coinfront/sdk/chain/get-transaction-in-mempool.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDecimal } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { rich, t } from '../language/messages.ts';
import { place } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { isNotFound, Loading, Reading } from '../ui/states.tsx';
import { useExact, WhenExactly } from '../ui/when.tsx';
import { TransactionProof, TxCopies } from './tx-documents.tsx';
import { TxFlow } from './tx-flow.tsx';
import { TxInput, TxOutput } from './tx-io.tsx';
import { TxGone, TxReplaced, TxWaiting } from './tx-waiting.tsx';

/** One transaction. */
export function TxPage({ parameter: txid }: { parameter: string }) {
  const { query } = useStore(place);
  const first = (name: string) => {
    const given = Number(query.get(name));
    return Number.isSafeInteger(given) && given > 0 ? given : undefined;
  };
  const params = { txid, first_input: first('first_input'), first_output: first('first_output') };
  const tx = useRead(
    `tx ${JSON.stringify(params)}`,
    (options) => getTransaction(client, params, options),
    'content',
    `tx ${txid}`,
  );
  const waiting = useRead(
    `mempool ${txid}`,
    (options) => getTransactionInMempool(client, { txid }, options),
    'content',
  );
  const by = waiting.data?.replaced_by;
  if (waiting.data && by && isNotFound(tx.error)) return <TxGone gone={waiting.data} by={by} />;
  if (tx.data === undefined && isNotFound(tx.error)) {
    if (waiting.isLoading) return <Loading what="the transaction" />;
    return (
      <Missing kind="Transaction" value={txid}>
        <p>
          {t(
            'If it was sent a moment ago, wait: this page shows it as soon as it is here. One that has waited long may have been replaced by another that spends the same coins: this service has not seen that, or it was more than two days ago.',
          )}
        </p>
        <p>
          {rich('If it is the digest of a file, look at {link}.', {
            link: <a href={`/proof/${encodeURIComponent(txid)}`}>{t('its proof')}</a>,
          })}
        </p>
      </Missing>
    );
  }
  return (
    <Reading read={tx} what="the transaction">
      {(data) => <TxView tx={data} waiting={waiting.data} />}
    </Reading>
  );
}

function TxView({ tx, waiting }: { tx: TxDetailJson; waiting: TxMempoolJson | undefined }) {
  const exact = useExact();
  return (
    <>
      <PageTitle
        kind="Transaction"
        title={t('Transaction {txid}', { txid: shortenMiddle(tx.txid) })}
        heading={<Hash value={tx.txid} what="transaction id" ends={32} />}
      />
      <Facts layout="two">
        <Fact name="State">
          {tx.block === null ? (
            <Mark tone="moving">{t('waits for a block')}</Mark>
          ) : (
            <>
              <Mark tone="done">{t('confirmed')}</Mark> {formatCountOf(tx.confirmations, 'confirmation')}
            </>
          )}
        </Fact>
        <Fact name="Block">
          {tx.block === null ? (
            <span class="quiet">{t('none yet')}</span>
          ) : (
            rich('{block}, index {position}', {
              block: <BlockLink height={tx.block.height} />,
              position: formatCount(tx.block.position),
            })
          )}
        </Fact>
        <Fact name={tx.block === null ? 'First seen' : 'Mined'}>
          {tx.block !== null ? (
            <WhenExactly at={tx.block.time} />
          ) : tx.first_seen !== null ? (
            <WhenExactly at={tx.first_seen} />
          ) : (
            t('unknown')
          )}
        </Fact>
        <Fact name="Total output">
          <Amount value={tx.output_value} />
        </Fact>
        <Fact name="Fee">
          {tx.fee === null ? (
            t('none: a coinbase transaction')
          ) : (
            <>
              <Amount value={tx.fee} /> <span class="quiet">{formatDecimal(tx.fee_rate ?? '')} /vB</span>
            </>
          )}
        </Fact>
        <Fact name="Size">
          {formatCount(tx.vsize)} vB <span class="quiet">{formatCountOf(tx.size, 'byte')}</span>
        </Fact>
        <Fact name="RBF enabled">{tx.rbf_signaled ? t('yes (BIP-125)') : t('not signaled')}</Fact>
        <Fact name="Version, lock time">
          {tx.version}, {describeLocktime(tx.locktime, exact)}
        </Fact>
        {tx.wtxid !== tx.txid && (
          <Fact name="wtxid">
            <Hash value={tx.wtxid} what="id with witness" />
          </Fact>
        )}
      </Facts>
      {waiting !== undefined && tx.block === null && <TxWaiting waiting={waiting} />}
      <TxFlow tx={tx} />
      <div class="io">
        <section>
          <h2 tabIndex={-1}>
            {t('Inputs')} <small>{formatCount(tx.input_count)}</small>
          </h2>
          <ol>
            {tx.inputs.map((input) => (
              <TxInput key={input.index} input={input} />
            ))}
          </ol>
          <Pager
            nextCursor={tx.next_input === null ? null : String(tx.next_input)}
            name="first_input"
            what="inputs"
          />
        </section>
        <section>
          <h2 tabIndex={-1}>
            {t('Outputs')} <small>{formatCount(tx.output_count)}</small>
          </h2>
          <ol>
            {tx.outputs.map((output) => (
              <TxOutput key={output.index} output={output} isPayout={tx.coinbase} />
            ))}
          </ol>
          <Pager
            nextCursor={tx.next_output === null ? null : String(tx.next_output)}
            name="first_output"
            what="outputs"
          />
        </section>
      </div>
      {waiting !== undefined && <TxReplaced replaced={waiting.replaced} />}
      <TxCopies tx={tx} />
      {tx.confirmed && <TransactionProof txid={tx.txid} />}
    </>
  );
}

function describeLocktime(locktime: number, exact: (iso: string) => string): string {
  if (locktime === 0) return t('none');
  return locktime < 500_000_000
    ? t('not before block {height}', { height: formatCount(locktime) })
    : t('not before {time}', { time: exact(new Date(locktime * 1000).toISOString()) });
}
