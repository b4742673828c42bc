import { getTokenStats } from '@coinfront/sdk/tokens/get-token-stats.ts';
import { listTokens } from '@coinfront/sdk/tokens/list-tokens.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { goTo, place } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { PartyLink, TokenLink } from '../ui/links.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';

/** All tokens, or those of a search. */
export function TokensPage() {
  const q = useStore(place).query.get('q')?.slice(0, 120) || undefined;
  const cursor = useCursor();
  const stats = useRead('token stats', (options) => getTokenStats(client, options), 'tip');
  const tokens = useListRead(
    `tokens ${q}`,
    cursor,
    (options) => listTokens(client, { q, limit: 50, cursor }, options),
    'tip',
  );
  return (
    <>
      <PageTitle
        title="Tokens"
        lead={t(
          'Tickers are not unique: identify a token by its id. Names and logos appear only if the issuer signed them and the operator reviewed them.',
        )}
      />
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get('q') ?? '').trim();
          goTo(given === '' ? '/tokens' : `/tokens?q=${encodeURIComponent(given)}`);
        }}
      >
        <label for="token">{t("A ticker, the beginning of an id, or an issuer's address")}</label>
        <span class="row">
          <input
            id="token"
            name="q"
            maxLength={120}
            autocomplete="off"
            spellcheck={false}
            defaultValue={q ?? ''}
          />
          <button type="submit" class="act second">
            {t('Find')}
          </button>
          {q !== undefined && <a href="/tokens">{t('All tokens')}</a>}
        </span>
      </form>
      <Section title={q === undefined ? 'All tokens' : 'Found'}>
        {q === undefined && (
          <Reading read={stats} what="totals">
            {(data) => (
              <Figures>
                <Figure name="Tokens">{formatCount(data.tokens)}</Figure>
                <Figure name="Balances" note={t('per token and holder')}>
                  {formatCount(data.holders)}
                </Figure>
                <Figure
                  name="Operations"
                  note={t('{count} invalid', {
                    count: formatCount(data.invalid_operations),
                  })}
                >
                  {formatCount(data.events)}
                </Figure>
                <Figure name="Transfers">{formatCount(data.events_by_kind.TRANSFER)}</Figure>
              </Figures>
            )}
          </Reading>
        )}
        <Reading read={tokens} what="tokens">
          {(page) => (
            <PagedTable
              page={page}
              what="tokens"
              empty={q === undefined ? 'No tokens yet.' : 'No matching token.'}
              columns={[
                'Token',
                { heading: 'Reviewed name', class: 'wide' },
                { heading: 'Issuer', class: 'wide' },
                { heading: 'Holders', class: 'number' },
                { heading: 'Circulating', class: 'number' },
              ]}
              row={(token) => (
                <tr key={token.token_id}>
                  <td>
                    <TokenLink tokenId={token.token_id} ticker={token.ticker} />
                  </td>
                  <td class="wide">
                    {token.metadata === null ? (
                      <span class="quiet">{t('none')}</span>
                    ) : (
                      <bdi class="foreign-line">{token.metadata.name}</bdi>
                    )}
                  </td>
                  <td class="wide">
                    <PartyLink party={token.issuer} />
                  </td>
                  <td class="number">{formatCount(token.holders)}</td>
                  <td class="number">
                    <Amount value={token.supply.circulating} unit="" />
                  </td>
                </tr>
              )}
            />
          )}
        </Reading>
      </Section>
    </>
  );
}
