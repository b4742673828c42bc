import type { ComponentChildren } from 'preact';
import { t, type Words } from '../language/messages.ts';

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
