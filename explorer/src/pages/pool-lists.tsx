import type { PoolBlockJson } from '@coinfront/api/mining.ts';
import { listPoolBlocks } from '@coinfront/sdk/mining/list-pool-blocks.ts';
import { listPoolMiners } from '@coinfront/sdk/mining/list-pool-miners.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatHashrate } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { Amount } from '../ui/amount.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { Pager, useCursor } from '../ui/pager.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

/** Blocks with the pool's tag, each with the verdict on its split. */
export function PoolBlocks() {
  const cursor = useCursor();
  const blocks = useRead(
    `pool blocks ${cursor}`,
    (options) => listPoolBlocks(client, { limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section
      title="Blocks with the pool's tag"
      aside="anybody can write a tag; only a kept split shows the pool"
    >
      <Reading read={blocks} what="blocks of the pool">
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <Empty>No block carries its tag yet.</Empty>
          ) : (
            <>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Block</th>
                    <th scope="col">Age</th>
                    <th scope="col">Policy</th>
                    <th scope="col" class="wide">
                      Miner
                    </th>
                    <th scope="col" class="number wide">
                      To the operator
                    </th>
                    <th scope="col" class="number">
                      To the miner
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((block) => (
                    <PoolBlockRow key={block.hash} block={block} />
                  ))}
                </tbody>
              </table>
              <Pager nextCursor={next} what="blocks of the pool" />
            </>
          )
        }
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
        <Mark tone={tone}>{text}</Mark>{' '}
        {block.status === 'orphaned' && <Mark tone="warning">replaced by another block</Mark>}
      </td>
      <td class="wide">
        {block.miner_address === null ? (
          <span class="quiet">no address</span>
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
  const miners = useRead(
    `miners ${cursor}`,
    (options) => listPoolMiners(client, { limit: 25, cursor }, options),
    'time',
  );
  return (
    <Section title="Miners">
      <Reading read={miners} what="miners">
        {({ items, listed, complete, next_cursor: next }) =>
          items.length === 0 ? (
            <Empty>
              {listed === null
                ? 'Unknown: the figures of this pool are read from blocks alone.'
                : 'Nobody mines at the moment.'}
            </Empty>
          ) : (
            <>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Miner</th>
                    <th scope="col" class="number">
                      Machines
                    </th>
                    <th scope="col" class="wide">
                      Last share
                    </th>
                    <th scope="col" class="number">
                      Hashrate
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((miner) => (
                    <tr key={miner.address}>
                      <td>
                        {miner.address.includes('…') || miner.address.includes('...') ? (
                          <bdi class="mono">{shortenMiddle(miner.address, 10)}</bdi>
                        ) : (
                          <AddressLink address={miner.address} />
                        )}
                      </td>
                      <td class="number">{miner.workers === null ? '–' : formatCount(miner.workers)}</td>
                      <td class="wide">
                        {miner.last_share_at === null ? '–' : <When at={miner.last_share_at} />}
                      </td>
                      <td class="number">
                        {miner.hashrates[0]?.hashes_per_second
                          ? formatHashrate(Number(miner.hashrates[0].hashes_per_second))
                          : '–'}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {!complete && <p class="note">The list is longer than what is read of it.</p>}
              <Pager nextCursor={next} name="miner_cursor" what="miners" />
            </>
          )
        }
      </Reading>
    </Section>
  );
}
