import { listCoinbasePayouts } from '@coinfront/sdk/mining/list-coinbase-payouts.ts';
import { getNameReverse } from '@coinfront/sdk/names/get-name-reverse.ts';
import { listAddressNames } from '@coinfront/sdk/names/list-address-names.ts';
import { listAddressTokens } from '@coinfront/sdk/tokens/list-address-tokens.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Fact } from '../ui/facts.tsx';
import { BlockLink, NameLink, TokenLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** The name that the owner of the address has chosen to be shown with. */
export function AddressShownAs({ address }: { address: string }) {
  const { data } = useRead(
    `reverse of ${address}`,
    (options) => getNameReverse(client, { address }, options),
    'tip',
  );
  if (data === undefined || data.name === null) return null;
  return (
    <Fact name="Shown as">
      <NameLink name={data.name} /> <span class="quiet">{t('chosen by its owner')}</span>
    </Fact>
  );
}

/** Names of the address: those that it registered itself, for anybody can give any name to any address. */
export function AddressNames({ address }: { address: string }) {
  const { data } = useRead(
    `names of ${address}`,
    (options) => listAddressNames(client, { address, limit: 25 }, options),
    'tip',
  );
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Fact name="Names">
      <ul class="plain">
        {data.items.map(({ name, resolves, registered_by_owner: isOwn }) => (
          <li key={name}>
            <NameLink name={name} />{' '}
            {resolves ? <Mark tone="done">{t('resolves')}</Mark> : <Mark tone="warning">{t('expired')}</Mark>}{' '}
            {!isOwn && <span class="quiet">{t('given by somebody else')}</span>}
          </li>
        ))}
      </ul>
      {data.next_cursor !== null && <span class="quiet">{t('and more')}</span>}
    </Fact>
  );
}

/** Token balances and issued tokens. */
export function AddressTokens({ address }: { address: string }) {
  const { data } = useRead(
    `tokens of ${address}`,
    (options) => listAddressTokens(client, { address, limit: 50 }, options),
    'tip',
  );
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Tokens" aside={data.next_cursor === null ? undefined : t('the first 50')}>
      <Table columns={['Token', 'Role', { heading: 'Balance', class: 'number' }]}>
        {data.items.map((token) => (
          <tr key={token.token_id}>
            <td>
              <TokenLink tokenId={token.token_id} ticker={token.ticker} />
            </td>
            <td>{token.is_issuer && <Mark>{t('issuer')}</Mark>}</td>
            <td class="number">
              <Amount value={token.balance} unit="" />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** What blocks paid to the address. */
export function AddressPayouts({ address }: { address: string }) {
  const { data } = useRead(
    `payouts of ${address}`,
    (options) => listCoinbasePayouts(client, { address, limit: 10 }, options),
    'tip',
  );
  if (data === undefined || data.totals.blocks === 0) return null;
  return (
    <Section
      title="Mining payouts"
      aside={rich('{blocks}, {amount} in all', {
        blocks: formatCountOf(data.totals.blocks, 'block'),
        amount: <Amount value={data.totals.value} />,
      })}
    >
      <Table
        columns={[
          'Block',
          'Age',
          { heading: 'Coinbase', class: 'wide' },
          'State',
          { heading: 'Payout', class: 'number' },
        ]}
      >
        {data.items.map((payout) => (
          <tr key={`${payout.txid}:${payout.vout}`}>
            <td>
              <BlockLink height={payout.height} />
            </td>
            <td>
              <When at={payout.time} />
            </td>
            <td class="wide">
              <TxLink txid={payout.txid} ends={6} />
            </td>
            <td>{payout.mature ? <Mark tone="done">{t('mature')}</Mark> : <Mark>{t('immature')}</Mark>}</td>
            <td class="number">
              <Amount value={payout.value} unit="" />
            </td>
          </tr>
        ))}
      </Table>
      {data.items.length < data.totals.blocks && (
        <p class="note">
          {t('The newest {count} of {all}.', {
            count: formatCount(data.items.length),
            all: formatCount(data.totals.blocks),
          })}
        </p>
      )}
    </Section>
  );
}
