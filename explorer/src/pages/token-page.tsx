import type { TokenJson } from '@coinfront/api/tokens.ts';
import { getToken } from '@coinfront/sdk/tokens/get-token.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink, PartyLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { TokenDistribution } from './token-distribution.tsx';
import { TokenEvents, TokenHolders } from './token-lists.tsx';
import { TokenMetadata } from './token-metadata.tsx';
import { TokenSupply } from './token-supply.tsx';

/** One token. */
export function TokenPage({ parameter: id }: { parameter: string }) {
  const token = useRead(`token ${id}`, (options) => getToken(client, { token_id: id }, options), 'tip');
  if (token.data === undefined && isNotFound(token.error)) {
    return (
      <Missing kind="Token" value={id}>
        <p>
          {rich('A token is known by its whole id, 64 hex digits. {link}.', {
            link: <a href="/tokens">{t('All tokens')}</a>,
          })}
        </p>
      </Missing>
    );
  }
  return (
    <Reading read={token} what="the token">
      {({ token: data }) => <TokenView token={data} />}
    </Reading>
  );
}

function TokenView({ token }: { token: TokenJson }) {
  const { supply } = token;
  return (
    <>
      <PageTitle
        kind="Token"
        title={t('Token {ticker}', { ticker: token.ticker })}
        heading={<bdi class="foreign-title">{token.ticker}</bdi>}
        lead={rich('Known by its id {hash}; the ticker is not unique.', {
          hash: <Hash value={token.token_id} what="token id" ends={10} />,
        })}
      />
      <TokenMetadata token={token} />
      <Section title="On the chain" aside={t('confirmed transactions only')}>
        <Facts layout="two">
          <Fact name="Circulating">
            <Amount value={supply.circulating} unit="" />
          </Fact>
          <Fact name="Holders">{formatCount(token.holders)}</Fact>
          <Fact name="Minted">
            <Amount value={supply.minted} unit="" />
          </Fact>
          <Fact name="Burned">
            <Amount value={supply.burned} unit="" />
          </Fact>
          <Fact name="Minting">
            {token.minting_open ? (
              <Mark tone="warning">{t('open')}</Mark>
            ) : (
              <Mark tone="done">{t('closed')}</Mark>
            )}{' '}
            {supply.mintable !== null && (
              <span class="quiet">
                {rich('up to {amount} more', { amount: <Amount value={supply.mintable} unit="" /> })}
              </span>
            )}
          </Fact>
          <Fact name="Cap">
            {supply.cap === null ? (
              <span class="quiet">{t('none given')}</span>
            ) : (
              <Amount value={supply.cap} unit="" />
            )}
          </Fact>
          <Fact name="Issuer">
            <PartyLink party={token.issuer} />
          </Fact>
          <Fact name="Premine">
            <Amount value={supply.premine} unit="" />
          </Fact>
          <Fact name="Created">
            {rich('block {block}, {time}', {
              block: <BlockLink height={token.created.height} />,
              time: <When at={token.created.time} />,
            })}
          </Fact>
          <Fact name="By transaction">
            <TxLink txid={token.created.txid} />
          </Fact>
          <Fact name="Decimals">{token.decimals}</Fact>
          <Fact name="Operations">
            {formatCount(token.events)}{' '}
            <span class="quiet">{formatCountOf(token.transfers, 'transfer')}</span>
          </Fact>
        </Facts>
      </Section>
      <TokenSupply tokenId={token.token_id} />
      <TokenDistribution tokenId={token.token_id} />
      <TokenHolders tokenId={token.token_id} />
      <TokenEvents tokenId={token.token_id} />
    </>
  );
}
