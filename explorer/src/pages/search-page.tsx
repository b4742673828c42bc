import { search } from '@coinfront/sdk/chain/search.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { lacks } from '../data/lacks.ts';
import { pulse } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { place } from '../router.tsx';
import { explainNothing } from '../search/explain-nothing.ts';
import { pathOfHit } from '../search/find-path.ts';
import { PageTitle, Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** What a text may mean, when it is not one thing. */
export function SearchPage() {
  const text = (useStore(place).query.get('q') ?? '').trim();
  const found = useRead(
    text === '' ? undefined : `search ${text}`,
    (options) => search(client, { q: text }, options),
    'nothing',
  );
  return (
    <>
      <PageTitle
        title="Search"
        heading={<bdi class="foreign-title">{text || t('Search')}</bdi>}
        kind="Search"
      />
      {text === '' ? (
        <>
          <p>{t('Enter a search term above.')}</p>
          <Searched />
        </>
      ) : (
        <Reading read={found} what="what was found">
          {({ items }) =>
            items.length === 0 ? (
              <NothingFound text={text} />
            ) : (
              <ul class="prose">
                {items.map((hit) => (
                  <li key={hit.path}>
                    {t(kinds[hit.kind])} <a href={pathOfHit(hit)}>{shortenMiddle(hit.id, 16)}</a>
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      )}
    </>
  );
}

function NothingFound({ text }: { text: string }) {
  // A coin without names has no status of them.
  const names = useRead('name status', (options) => getNameStatus(client, options), 'nothing');
  const { says, steps } = explainNothing(text, {
    coinName: useStore(coin)?.name ?? '',
    tipHeight: useStore(pulse).stats?.height,
    tlds: names.data?.rules.tlds ?? [],
  });
  return (
    <>
      <div class="prose">
        <p>
          <strong>{t('Nothing was found.')}</strong> {says}
        </p>
        {steps.length > 0 && (
          <ul>
            {steps.map(({ href, text: step }) => (
              <li key={href}>
                <a href={href}>{step}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Searched />
    </>
  );
}

/** Kinds of what is found, in a word. */
const kinds = {
  block: 'Block',
  transaction: 'Transaction',
  address: 'Address',
  name: 'Name',
  token: 'Token',
  proof: 'Proof',
  payment: 'Payment',
} as const;

const searched: readonly (readonly [what: MessageKey, forms: MessageKey, href: string, all: MessageKey])[] = [
  ['Block', '812345, 812,345, #812345, or its hash', '/blocks', 'All blocks'],
  ['Transaction', 'Its id, or one of its outputs: id:0', '/mempool', 'Unconfirmed transactions'],
  ['Address', 'In full, or as a payment link', '/blocks', 'Latest blocks'],
  ['Name', 'In full, with its ending', '/names', 'Names'],
  ['Token', 'Its ticker, the beginning of it, or its id', '/tokens', 'Tokens'],
  ['Proof', 'The SHA-256 digest of a file', '/proofs', 'Hash a file'],
  ['Payment', 'VP- and 12 letters or digits', '/developers/chain', 'API of payments'],
  ['Wallet', 'Its extended public key, or descriptor', '/xpub', 'Wallet by its public key'],
];

function Searched() {
  return (
    <Section title="What can be searched">
      <Table columns={['Kind', 'Search by', { heading: 'Browse', class: 'wide' }]}>
        {searched.map(
          ([what, forms, href, all]) =>
            !lacks(href.slice(1)) && (
              <tr key={what}>
                <td>{t(what)}</td>
                <td>{t(forms)}</td>
                <td class="wide">
                  <a href={href}>{t(all)}</a>
                </td>
              </tr>
            ),
        )}
      </Table>
    </Section>
  );
}
