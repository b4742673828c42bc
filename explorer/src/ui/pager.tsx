import { useContext, useEffect, useRef } from 'preact/hooks';
import { useStore } from '../data/store.ts';
import { openTabMemory } from '../data/tab-memory.ts';
import { formatCount } from '../format/number.ts';
import { t, type Words } from '../language/messages.ts';
import { type Place, place, withQuery } from '../router.tsx';
import { Turning } from './states.tsx';

/** The cursors of pages before others, as far as this tab has seen them: the service leads forward only. */
const cursorsBefore = openTabMemory<string | null>('pages');

/** The cursor of a list that stands in the page's own address. */
export function useCursor(name = 'cursor'): string | undefined {
  return useStore(place).query.get(name) ?? undefined;
}

/** Links to the pages of a list around the present one: plain addresses, which can be kept and shared. */
export function Pager({
  nextCursor,
  name = 'cursor',
  what,
}: {
  nextCursor: string | null;
  name?: string;
  what: Words;
}) {
  const present = useStore(place);
  const isTurning = useContext(Turning);
  const nav = useRef<HTMLElement>(null);
  // While the next page is waited for, the links stay those of the page that is shown: one of them has the focus.
  const latest = useRef(present);
  if (!isTurning) latest.current = present;
  const here = latest.current;
  const cursor = here.query.get(name);
  const shown = useRef(cursor);
  const memory = (of: string) => `${here.path} ${name} ${of}`;

  // Whoever turned the page begins to read at its top; who came back is where they were.
  useEffect(() => {
    if (shown.current === cursor) return;
    shown.current = cursor;
    const top = nav.current?.closest('section')?.querySelector('h2') ?? document.querySelector('main h1');
    if (!(top instanceof HTMLElement)) return;
    top.focus({ preventScroll: true });
    if (!here.isReturn && top.getBoundingClientRect().top < 0) top.scrollIntoView();
  }, [cursor, here]);
  useEffect(() => {
    if (nextCursor !== null && !isTurning) cursorsBefore.set(memory(nextCursor), cursor);
  }, [nextCursor, isTurning, cursor]);

  if (cursor === null && nextCursor === null) return null;
  const number = cursor === null ? 1 : readNumber(here.query.get(numberName(name)));
  const before = number === 2 ? null : cursor === null ? undefined : cursorsBefore.get(memory(cursor));
  return (
    <nav class="pager" aria-label={t('Pages of {what}', { what: t(what) })} ref={nav} aria-busy={isTurning}>
      {cursor !== null && before !== null && <a href={hrefOf(here, name, null, 1)}>{t('First page')}</a>}
      {before !== undefined && (
        <a href={hrefOf(here, name, before, number === undefined ? undefined : number - 1)}>
          {t('Previous page')}
        </a>
      )}
      {number !== undefined && <span>{t('Page {number}', { number: formatCount(number) })}</span>}
      {nextCursor !== null && (
        <a href={hrefOf(here, name, nextCursor, number === undefined ? undefined : number + 1)}>
          {t('Next page')}
        </a>
      )}
    </nav>
  );
}

/** Which page it is stands beside its cursor, for those who get the address from somebody. */
function hrefOf(here: Place, name: string, cursor: string | null, number: number | undefined): string {
  return withQuery(here, {
    [name]: cursor ?? undefined,
    [numberName(name)]: cursor === null || number === undefined ? undefined : String(number),
  });
}

function numberName(cursorName: string): string {
  return cursorName.endsWith('cursor') ? cursorName.replace(/cursor$/, 'page') : `${cursorName}_page`;
}

function readNumber(given: string | null): number | undefined {
  return given !== null && /^[1-9][0-9]{0,6}$/.test(given) && given !== '1' ? Number(given) : undefined;
}
