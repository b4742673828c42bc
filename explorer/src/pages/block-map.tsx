import type { BlockDetailJson } from '@coinfront/api/chain-blocks.ts';
import { getBlockSummary } from '@coinfront/sdk/chain/get-block-summary.ts';
import { useMemo } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { TransactionMap } from './transaction-map.tsx';

/** What is in a block, as rectangles: read when it is asked for, since it is all of its transactions. */
export function BlockMap({ block }: { block: BlockDetailJson }) {
  if (block.tx_count < 2) return null;
  return (
    <Section title="Transactions by size and fee rate">
      <Unfold summary="Show the picture">
        <Picture block={block} />
      </Unfold>
    </Section>
  );
}

function Picture({ block: { hash, height } }: { block: BlockDetailJson }) {
  const summary = useRead(
    `summary of ${hash}`,
    (options) => getBlockSummary(client, { id: hash }, options),
    'nothing',
  );
  const transactions = useMemo(
    () => summary.data?.transactions.map(({ fee_rate: rate, ...tx }) => ({ ...tx, rate })) ?? [],
    [summary.data],
  );
  return (
    <Reading read={summary} what="the block">
      {() => (
        <TransactionMap
          label={t('Transactions of block {height}', { height: formatCount(height) })}
          transactions={transactions}
        />
      )}
    </Reading>
  );
}
