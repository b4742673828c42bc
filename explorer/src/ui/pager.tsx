import { useStore } from '../data/store.ts';
import { place, withQuery } from '../router.tsx';

/** The cursor of a list that stands in the page's own address. */
export function useCursor(name = 'cursor'): string | undefined {
  return useStore(place).query.get(name) ?? undefined;
}

/** Links to the first and to the next page of a list: plain addresses, which can be kept and shared. */
export function Pager({
  nextCursor,
  name = 'cursor',
  what,
}: {
  nextCursor: string | null;
  name?: string;
  what: string;
}) {
  const here = useStore(place);
  const isFirst = !here.query.has(name);
  if (isFirst && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      {!isFirst && <a href={withQuery(here, name, undefined)}>First page</a>}
      {nextCursor !== null && <a href={withQuery(here, name, nextCursor)}>Next page</a>}
    </nav>
  );
}
