import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../language/messages.ts';
import type { Suggested } from './read-typed.ts';
import { forgetSearches } from './recent-searches.ts';
import { useSuggestions } from './use-suggestions.ts';

/** What the box says of its list to those who do not see it. */
export type ListState = { listId: string; activeId: string | undefined };

/** Where the list belongs, and what it tells. */
export type SuggestionsProps = {
  input: HTMLInputElement;
  /** Called with the state of the list, undefined while it is not shown. */
  onList(state: ListState | undefined): void;
  onChoose(chosen: Suggested): void;
};

const LIST_ID = 'q-list';
const NONE = -1;

/** The list below the search box: a listbox that the box controls (the combobox pattern of the ARIA practices guide). */
export function Suggestions({ input, onList, onChoose }: SuggestionsProps) {
  const [text, setText] = useState(input.value.trim());
  const [isOpen, setIsOpen] = useState(document.activeElement === input);
  const [active, setActive] = useState(NONE);
  const [, setForgotten] = useState(0);
  const found = useSuggestions(text);
  const hasRecent = text === '' && found.length > 0;
  const options = found.length + (hasRecent ? 1 : 0);
  const isShown = isOpen && options > 0;
  const activeId = isShown && active !== NONE ? `${LIST_ID}-${active}` : undefined;

  function open(): void {
    setText(input.value.trim());
    setIsOpen(true);
  }
  function close(): void {
    setIsOpen(false);
    setActive(NONE);
  }
  function choose(index: number): void {
    const chosen = found[index];
    if (chosen === undefined) {
      forgetSearches();
      setActive(NONE);
      setForgotten((times) => times + 1);
      return;
    }
    close();
    onChoose(chosen);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const next = isShown ? findNext(event.key, active, options) : undefined;
    if (next !== undefined) setActive(next);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') open();
    else if (event.key === 'Enter' && isShown && active !== NONE) choose(active);
    else if (event.key === 'Escape' && isShown) close();
    else if (event.key === 'Escape' && input.value !== '') input.value = '';
    else {
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
  }

  useLayoutEffect(() => onList(isShown ? { listId: LIST_ID, activeId } : undefined), [isShown, activeId]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const latest = useRef({ open, close, onKeyDown });
  latest.current = { open, close, onKeyDown };
  // Before anything else can happen: what is typed between the first look at the box and an effect after the paint would be missed.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const reopen = () => latest.current.open();
    input.addEventListener('focus', reopen, { signal });
    input.addEventListener('click', reopen, { signal });
    input.addEventListener(
      'input',
      () => {
        setActive(NONE);
        reopen();
      },
      { signal },
    );
    input.addEventListener('blur', () => latest.current.close(), { signal });
    input.addEventListener('keydown', (event) => latest.current.onKeyDown(event), { signal });
    return () => leaving.abort();
  }, [input]);

  if (!isShown) return null;
  return (
    <div class="suggestions" id={LIST_ID} role="listbox" aria-label={t('Suggestions')} tabIndex={-1}>
      {found.map(({ what, label, note, path }, i) => (
        <Option key={path} index={i} isActive={i === active} onChoose={choose}>
          <span class="what">{t(what)}</span>
          <bdi>{label}</bdi>
          {note !== undefined && <span class="what">{note}</span>}
        </Option>
      ))}
      {hasRecent && (
        <Option key="" index={found.length} isActive={active === found.length} onChoose={choose}>
          {t('Clear recent searches')}
        </Option>
      )}
    </div>
  );
}

function Option({
  index,
  isActive,
  onChoose,
  children,
}: {
  index: number;
  isActive: boolean;
  onChoose(index: number): void;
  children: ComponentChildren;
}) {
  return (
    <div
      id={`${LIST_ID}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={(event) => {
        // The focus stays in the box: the list closes without it.
        event.preventDefault();
        if (event.button === 0) onChoose(index);
      }}
    >
      {children}
    </div>
  );
}

/** The option that a key leads to; behind the last and before the first one the text itself is meant. */
function findNext(key: string, active: number, options: number): number | undefined {
  const last = options - 1;
  if (key === 'ArrowDown') return active === last ? NONE : active + 1;
  if (key === 'ArrowUp') return active === NONE ? last : active - 1;
  if (active === NONE) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}
