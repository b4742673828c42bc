import type { MinerJson, PoolBlockJson } from '@coinfront/api/mining.ts';
import { listPoolBlocks } from '@coinfront/sdk/mining/list-pool-blocks.ts';
import { listPoolMiners } from '@coinfront/sdk/mining/list-pool-miners.ts';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCount, formatHashrate } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { t } from '../language/messages.ts';
import { minerPath } from '../mining/miner-form.tsx';
import { Amount } from '../ui/amount.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

/** Blocks with the pool's tag, each with the verdict on its split. */
export function PoolBlocks() {
  const cursor = useCursor();
  const blocks = useListRead(
    'pool blocks',
    cursor,
    (options) => listPoolBlocks(client, { limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section
      title="Blocks with the pool's tag"
      aside={t('anyone can write a tag; only a matching payout split proves the pool')}
    >
      <Reading read={blocks} what="blocks of the pool">
        {(page) => (
          <PagedTable
            page={page}
            what="blocks of the pool"
            empty="No block carries its tag yet."
            columns={[
              'Block',
              'Age',
              'Policy',
              { heading: 'Miner', class: 'wide' },
              { heading: 'Operator receives', class: 'number wide' },
              { heading: 'Miner receives', class: 'number' },
            ]}
            row={(block) => <PoolBlockRow key={block.hash} block={block} />}
          />
        )}
      </Reading>
    </Section>
  );
}

const grades = {
  verified: { tone: 'done', text: 'kept' },
  tag_only: { tone: 'plain', text: 'tag only' },
  mismatch: { tone: 'failed', text: 'not kept' },
} as const;

function PoolBlockRow({ block }: { block: PoolBlockJson }) {
  const { tone, text } = grades[block.grade];
  return (
    <tr>
      <td>{block.status === 'orphaned' ? formatCount(block.height) : <BlockLink height={block.height} />}</td>
      <td>
        <When at={block.time} />
      </td>
      <td>
        <Mark tone={tone}>{t(text)}</Mark>{' '}
        {block.status === 'orphaned' && <Mark tone="warning">{t('replaced by another block')}</Mark>}
      </td>
      <td class="wide">
        {block.miner_address === null ? (
          <span class="quiet">{t('no address')}</span>
        ) : (
          <AddressLink address={block.miner_address} ends={6} />
        )}
      </td>
      <td class="number wide">
        <Amount value={block.split.operator} unit="" />
      </td>
      <td class="number">
        <Amount value={block.split.miner} unit="" />
      </td>
    </tr>
  );
}

/** Miners as the pool's own software lists them. */
export function PoolMiners() {
  const cursor = useCursor('miner_cursor');
  const miners = useListRead(
    'miners',
    cursor,
    (options) => listPoolMiners(client, { limit: 25, cursor }, options),
    'time',
  );
  return (
    <Section title="Miners">
      <Reading read={miners} what="miners">
        {(page) => (
          <PagedTable
            page={page}
            what="miners"
            cursorName="miner_cursor"
            empty={
              page.listed === null
                ? 'Unknown: this pool publishes no statistics, so only its blocks are known.'
                : 'No active miners.'
            }
            columns={[
              'Miner',
              { heading: 'Machines', class: 'number' },
              { heading: 'Last share', class: 'wide' },
              { heading: 'Hashrate', class: 'number' },
            ]}
            row={(miner) => (
              <tr key={miner.address}>
                <td>
                  <a class="mono" href={minerPath(miner.address)}>
                    <bdi>{shortenMiddle(miner.address, 10)}</bdi>
                  </a>
                </td>
                <td class="number">{miner.workers === null ? '–' : formatCount(miner.workers)}</td>
                <td class="wide">{miner.last_share_at === null ? '–' : <When at={miner.last_share_at} />}</td>
                <td class="number">{sayFirst(miner.hashrates)}</td>
              </tr>
            )}
          >
            {!page.complete && <p class="note">{t('The list is longer than what is read of it.')}</p>}
          </PagedTable>
        )}
      </Reading>
    </Section>
  );
}

/** The shortest window of which something is known. */
function sayFirst(rates: MinerJson['hashrates']): string {
  const known = rates.find(({ hashes_per_second: rate }) => rate !== null)?.hashes_per_second;
  return known ? formatHashrate(Number(known)) : '–';
}
