import type { BlockDetailJson } from '@coinfront/api/chain-blocks.ts';
import { getBlock } from '@coinfront/sdk/chain/get-block.ts';
import { listStaleBlocks } from '@coinfront/sdk/chain/list-stale-blocks.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDifficulty } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { place } from '../router.tsx';
import { CoinbaseTag } from '../ui/coinbase-tag.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle } from '../ui/page.tsx';
import { useCursor } from '../ui/pager.tsx';
import { isNotFound, Loading, Reading } from '../ui/states.tsx';
import { WhenExactly } from '../ui/when.tsx';
import { BlockFeeRates, BlockReward, BlockWeight, StaleBlock } from './block-figures.tsx';
import { BlockMap } from './block-map.tsx';
import { BlockTransactions, isSorted } from './block-transactions.tsx';
import { useNeighbourKeys } from './neighbour-keys.ts';

const HASH = /^[0-9a-f]{64}$/i;

/** One block, by height or hash. */
export function BlockPage({ parameter: id }: { parameter: string }) {
  const here = useStore(place);
  const listCursor = useCursor();
  // A sorted list is read by itself, and the cursor is that one's.
  const cursor = isSorted(here.query) ? undefined : listCursor;
  const block = useListRead(
    `block ${id}`,
    cursor,
    (options) => getBlock(client, { id, limit: 50, cursor }, options),
    'tip',
  );
  const isUnknown = isNotFound(block.error);
  const stale = useRead(
    isUnknown && HASH.test(id) ? `stale ${id}` : undefined,
    (options) => listStaleBlocks(client, { hash: id }, options),
    'tip',
  );
  const [left] = stale.data?.items ?? [];
  if (isUnknown && left !== undefined) return <StaleBlock block={left} />;
  if (isUnknown && block.data === undefined) {
    if (stale.isLoading) return <Loading what={t('block {id}', { id })} />;
    return (
      <Missing kind="Block" value={id}>
        <p>
          {rich(
            'It may not have come yet, or be of another branch that this service never followed. {link}.',
            { link: <a href="/blocks">{t('The latest blocks')}</a> },
          )}
        </p>
      </Missing>
    );
  }
  return (
    <Reading read={block} what={t('block {id}', { id })}>
      {(data) => <BlockView block={data} />}
    </Reading>
  );
}

function BlockView({ block }: { block: BlockDetailJson }) {
  const previous = block.previous_hash === null ? undefined : `/block/${block.height - 1}`;
  const next = block.next_hash === null ? undefined : `/block/${block.height + 1}`;
  useNeighbourKeys(previous, next);
  return (
    <>
      <PageTitle kind="Block" title={t('Block {height}', { height: formatCount(block.height) })} />
      <nav class="tabs" aria-label={t('Neighbouring blocks')}>
        {previous !== undefined && (
          <a href={previous} aria-keyshortcuts="ArrowLeft">
            ← {formatCount(block.height - 1)}
          </a>
        )}
        {next === undefined ? (
          <span class="quiet">{t('the tip of the chain')}</span>
        ) : (
          <a href={next} aria-keyshortcuts="ArrowRight">
            {formatCount(block.height + 1)} →
          </a>
        )}
      </nav>
      <Facts layout="two">
        <Fact name="Hash">
          <Hash value={block.hash} what="block hash" ends={10} />
        </Fact>
        <Fact name="Mined">
          <WhenExactly at={block.time} />
        </Fact>
        {block.coinbase_tag !== null && (
          <Fact name="Coinbase tag">
            <CoinbaseTag tag={block.coinbase_tag} />
          </Fact>
        )}
        <Fact name="Confirmations">{formatCount(block.confirmations)}</Fact>
        <Fact name="Transactions">{formatCount(block.tx_count)}</Fact>
        <Fact name="Fee rates">
          <BlockFeeRates hash={block.hash} />
        </Fact>
        <Fact name="Reward">
          <BlockReward block={block} />
        </Fact>
        <Fact name="Weight">
          <BlockWeight weight={block.weight} />
        </Fact>
        <Fact name="Size">{formatCountOf(block.size, 'byte')}</Fact>
        <Fact name="Difficulty">{formatDifficulty(block.difficulty)}</Fact>
        <Fact name="Median time">
          <WhenExactly at={block.median_time} />
        </Fact>
        <Fact name="Merkle root">
          <Hash value={block.merkle_root} what="merkle root" />
        </Fact>
        <Fact name="Previous block">
          {block.previous_hash === null ? (
            t('none: the first block')
          ) : (
            <Hash
              value={block.previous_hash}
              what="hash of the previous block"
              href={`/block/${block.previous_hash}`}
            />
          )}
        </Fact>
        <Fact name="Version, bits, nonce">
          <span class="mono">
            {block.version} · {block.bits} · {block.nonce}
          </span>
        </Fact>
        <Fact name="Chainwork">
          <Hash value={block.chainwork} what="chainwork" />
        </Fact>
      </Facts>
      <details>
        <summary>{t('Header, 80 bytes')}</summary>
        <pre>
          {block.header}
          <CopyButton text={block.header} what="header" />
        </pre>
      </details>
      <BlockMap block={block} />
      <BlockTransactions block={block} />
    </>
  );
}
