import { listBlocks } from '@coinfront/sdk/chain/list-blocks.ts';
import { useRef } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { t } from '../language/messages.ts';
import { PageTitle } from '../ui/page.tsx';
import { Pager, useCursor } from '../ui/pager.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { BlockTable } from './block-table.tsx';

/** All blocks from the newest. */
export function BlocksPage() {
  const cursor = useCursor();
  const blocks = useListRead(
    'blocks',
    cursor,
    (options) => listBlocks(client, { limit: 50, cursor }, options),
    'tip',
  );
  const shownCursor = useRef(cursor);
  if (!blocks.isTurning) shownCursor.current = cursor;
  return (
    <>
      <PageTitle title="Blocks" />
      <Reading read={blocks} what="blocks">
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty>{t('No block yet.')}</Empty>
            ) : (
              // Blocks of another page have not arrived while one looks.
              <BlockTable key={shownCursor.current ?? ''} blocks={items} />
            )}
            <Pager nextCursor={next} what="blocks" />
          </>
        )}
      </Reading>
    </>
  );
}
