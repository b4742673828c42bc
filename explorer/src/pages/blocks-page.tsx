import { listBlocks } from '@coinfront/sdk/chain/list-blocks.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { PageTitle } from '../ui/page.tsx';
import { Pager, useCursor } from '../ui/pager.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { BlockTable } from './block-table.tsx';

/** All blocks from the newest. */
export function BlocksPage() {
  const cursor = useCursor();
  const blocks = useRead(
    `blocks ${cursor}`,
    (options) => listBlocks(client, { limit: 50, cursor }, options),
    'tip',
  );
  return (
    <>
      <PageTitle title="Blocks" />
      <Reading read={blocks} what="blocks">
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? <Empty>No block yet.</Empty> : <BlockTable blocks={items} />}
            <Pager nextCursor={next} what="blocks" />
          </>
        )}
      </Reading>
    </>
  );
}
