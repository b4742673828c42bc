import { coin } from '../data/coin.ts';
import { lacks } from '../data/lacks.ts';
import { useStore } from '../data/store.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { place } from '../router.tsx';
import { SearchBox } from './search-box.tsx';
import { ThemeButton } from './theme-button.tsx';

/** Places of the site, with the first parts of the paths that belong to each. */
const places: readonly (readonly [href: string, name: MessageKey, ...parts: string[]])[] = [
  ['/blocks', 'Blocks', 'blocks', 'block', 'tx', 'address', 'xpub'],
  ['/mempool', 'Mempool', 'mempool'],
  ['/charts', 'Charts', 'charts'],
  ['/proofs', 'Proofs', 'proofs', 'proof'],
  ['/names', 'Names', 'names', 'name'],
  ['/tokens', 'Tokens', 'tokens', 'token'],
  ['/pool', 'Pool', 'pool'],
  ['/nodes', 'Nodes', 'nodes', 'node'],
  ['/treasury', 'Treasury', 'treasury'],
  ['/developers', 'Developers', 'developers'],
];

/** The head of every page: who we are, the search, the places. */
export function Top() {
  const name = useStore(coin)?.name ?? '';
  const here = useStore(place).path.split('/')[1] ?? '';
  return (
    <header class="top">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M2 4h28v5H2zM2 13.500h20v5H2zM2 23h24v5H2z" />
        </svg>
        {name}
      </a>
      <SearchBox />
      <ThemeButton />
      <nav class="places" aria-label={t('Places')}>
        {places.map(
          ([href, label, ...parts]) =>
            !lacks(href.slice(1)) && (
              <a key={href} href={href} aria-current={parts.includes(here) ? 'page' : undefined}>
                {t(label)}
              </a>
            ),
        )}
      </nav>
    </header>
  );
}
