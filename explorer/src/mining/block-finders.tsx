import type { FinderJson } from '@coinfront/api/mining-luck.ts';
import { listBlockFinders } from '@coinfront/sdk/mining/list-block-finders.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatShare } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Bar } from '../ui/bar.tsx';
import { CoinbaseTag } from '../ui/coinbase-tag.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** Who finds the blocks of the chain, as far as coinbases say. */
export function BlockFinders() {
  const finders = useRead('finders', (options) => listBlockFinders(client, {}, options), 'tip');
  return (
    <Section
      title="Who finds the blocks"
      aside={t('by the tag in the coinbase, or else by the address that it pays; not verified')}
    >
      <Reading read={finders} what="the finders">
        {({ items, blocks, finders: all }) => (
          <>
            <Table
              columns={[
                'Tag or address',
                { heading: 'Share', class: 'wide' },
                { heading: 'Blocks', class: 'number' },
                { heading: 'Percent', class: 'number' },
                { heading: 'Last block', class: 'number' },
              ]}
            >
              {items.slice(0, SHOWN).map((finder) => (
                <FinderRow key={`${finder.tag} ${finder.address}`} finder={finder} />
              ))}
            </Table>
            <p class="note">
              {t('Of the latest {blocks}.', { blocks: formatCountOf(blocks, 'block') })}{' '}
              {all > SHOWN && t('{count} more found the rest.', { count: formatCount(all - SHOWN) })}
            </p>
          </>
        )}
      </Reading>
    </Section>
  );
}

/** Rows that are shown. */
const SHOWN = 12;

function FinderRow({ finder }: { finder: FinderJson }) {
  const { tag, address, is_pool: isPool, blocks, share, last_height: last } = finder;
  return (
    <tr>
      <td>
        {tag === null && address === null && <span class="quiet">{t('unknown')}</span>}
        {tag === null && address !== null && <AddressLink address={address} ends={6} />}
        <CoinbaseTag tag={tag} /> {isPool && <Mark>{t('this pool')}</Mark>}
      </td>
      <td class="wide">
        <Bar broad share={share} label={formatShare(share)} />
      </td>
      <td class="number">{formatCount(blocks)}</td>
      <td class="number">{formatShare(share)}</td>
      <td class="number">
        <BlockLink height={last} />
      </td>
    </tr>
  );
}
