import { search } from '@coinfront/sdk/chain/search.ts';
import { client } from '../data/client.ts';
import { pathOfHit } from '../data/find-anything.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { pathOf, place } from '../router.tsx';
import { PageTitle } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';

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
      <PageTitle title="Search" heading={<bdi class="foreign-title">{text || 'Search'}</bdi>} kind="Search" />
      {text === '' ? (
        <p>Enter a search term above.</p>
      ) : (
        <Reading read={found} what="what was found">
          {({ items }) =>
            items.length === 0 ? (
              <NothingFound text={text} />
            ) : (
              <ul class="prose">
                {items.map((hit) => (
                  <li key={hit.path}>
                    {hit.kind} <a href={pathOfHit(hit)}>{shortenMiddle(hit.id, 16)}</a>
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
  return (
    <div class="prose">
      <p>
        <strong>Nothing was found.</strong> The search knows heights, block hashes, transaction ids and
        outputs, addresses, payment links, names, token ids and tickers, digests of files, and payments, each
        in full.
      </p>
      <ul>
        {/^[0-9a-f]{64}$/i.test(text) && (
          <li>
            If it is the digest of a file: <a href={pathOf('proof', text.toLowerCase())}>anchor it</a>.
          </li>
        )}
        {/^[a-z0-9-]{1,32}\.[a-z]{1,16}$/.test(text) && (
          <li>
            If it is a name: <a href={pathOf('name', text)}>see whether it is free</a>.
          </li>
        )}
        {/^[0-9]+$/.test(text) && <li>If it is a height: the chain is not that long yet.</li>}
        <li>A transaction that was sent a moment ago may take some seconds to arrive here.</li>
      </ul>
    </div>
  );
}
