import type { ComponentChildren } from 'preact';
import { t, type Words } from '../language/messages.ts';
import { Pager } from './pager.tsx';
import { Empty } from './states.tsx';

/** The heading of a column, with the class of its cells: figures stand right, what is `wide` is left out on a telephone. */
export type Column = Words | { heading: Words; class: 'number' | 'wide' | 'number wide' };

/** A table with its headings; `children` are its rows. */
export function Table({ columns, children }: { columns: readonly Column[]; children: ComponentChildren }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => {
            const { heading, class: name } = typeof column === 'string' ? { heading: column } : column;
            return (
              <th key={heading} scope="col" class={name}>
                {t(heading)}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

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
