import type { BlockSummaryJson } from '@coinfront/api/chain-blocks.ts';
import { useRef } from 'preact/hooks';
import { formatCount, formatDecimal, formatScaled } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { CoinbaseTag } from '../ui/coinbase-tag.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

const MAX_WEIGHT = 4_000_000;

/** Blocks from the newest; those that come while one looks are pointed out. */
export function BlockTable({ blocks }: { blocks: readonly BlockSummaryJson[] }) {
  const hasTags = blocks.some(({ coinbase_tag: tag }) => tag !== null);
  const firstTop = useRef(blocks[0]?.height ?? 0);
  return (
    <Table
      columns={[
        'Height',
        'Age',
        { heading: 'Hash', class: 'wide' },
        ...(hasTags ? [{ heading: 'Coinbase tag', class: 'wide' } as const] : []),
        { heading: 'Transactions', class: 'number' },
        { heading: 'Size', class: 'number wide' },
        { heading: 'Fullness', class: 'wide' },
        { heading: 'Fees', class: 'number' },
      ]}
    >
      {blocks.map((block) => (
        <tr key={block.hash} class={block.height > firstTop.current ? 'arrived' : undefined}>
          <td class="tight">
            <BlockLink height={block.height} />
          </td>
          <td class="age">
            <When at={block.time} />
          </td>
          <td class="wide">
            <Hash value={block.hash} what="block hash" ends={6} />
          </td>
          {hasTags && (
            <td class="wide">
              <CoinbaseTag tag={block.coinbase_tag} />
            </td>
          )}
          <td class="number">{formatCount(block.tx_count)}</td>
          <td class="number wide">{formatScaled(block.size, 'B')}</td>
          <td class="wide">
            <Bar
              share={block.weight / MAX_WEIGHT}
              label={t('{percent} % full', {
                percent: formatDecimal(((block.weight / MAX_WEIGHT) * 100).toFixed(1)),
              })}
            />
          </td>
          <td class="number">
            <Amount value={block.fees} unit="" />
          </td>
        </tr>
      ))}
    </Table>
  );
}
