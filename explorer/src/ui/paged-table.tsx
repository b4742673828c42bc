import type { ComponentChildren } from 'preact';
import { t, type Words } from '../language/messages.ts';
import { Pager } from './pager.tsx';
import { Empty } from './states.tsx';
import { type Column, Table } from './table.tsx';

/** One page of a list as a table, with what is said where nothing is listed, and with links to its other pages. */
export function PagedTable<T>({
  page,
  what,
  cursorName = 'cursor',
  empty,
  columns,
  row,
  children,
}: {
  page: { items: readonly T[]; next_cursor: string | null };
  /** What is listed, for those who do not see it. */
  what: Words;
  /** The parameter of the page's own address that says where the list goes on. */
  cursorName?: string;
  empty: Words;
  columns: readonly Column[];
  /** One row, with its key. */
  row: (item: T) => ComponentChildren;
  /** What is said below the rows. */
  children?: ComponentChildren;
}) {
  return (
    <>
      {page.items.length === 0 ? (
        <Empty>{t(empty)}</Empty>
      ) : (
        <Table columns={columns}>{page.items.map(row)}</Table>
      )}
      {page.items.length > 0 && children}
      <Pager nextCursor={page.next_cursor} name={cursorName} what={what} />
    </>
  );
}
