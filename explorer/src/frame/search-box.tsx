import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hidesPrivateKey } from '../data/hides-private-key.ts';
import { useStore } from '../data/store.ts';
import { t } from '../language/messages.ts';
import { goTo, place } from '../router.tsx';
import type { ListState, SuggestionsProps } from '../search/suggestions.tsx';

/** One box for everything. Without scripts it is a plain form. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  /** Counts searches: what an earlier one finds is of no interest any more. */
  const latest = useRef(0);
  const here = useStore(place);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps> | undefined>();
  const [list, setList] = useState<ListState | undefined>();

  useEffect(() => {
    function focusBySlash(event: KeyboardEvent): void {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    }
    addEventListener('keydown', focusBySlash);
    return () => removeEventListener('keydown', focusBySlash);
  }, []);
  useEffect(() => setAnswer(''), [here]);

  /** Comes when the box is first used; without it the search is the same but for the list. */
  function loadSuggestions(): void {
    if (Suggestions !== undefined) return;
    import('../search/suggestions.tsx').then(
      (loaded) => setSuggestions(() => loaded.Suggestions),
      () => {},
    );
  }

  function show(path: string, label?: string): void {
    if (input.current !== null) input.current.value = '';
    void remember(path, label);
    goTo(path);
  }

  async function search(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '') return;
    latest.current += 1;
    const own = latest.current;
    try {
      if (await hidesPrivateKey(text)) {
        if (input.current !== null) input.current.value = '';
        setAnswer(t('That looks like a private key. It was not sent anywhere. Never type it into a page.'));
        return;
      }
      const { findPathOf } = await import('../search/find-path.ts');
      const path = await findPathOf(text);
      if (own !== latest.current) return;
      void remember(path);
      goTo(path);
      // What was typed meanwhile is the next search.
      if (input.current?.value.trim() === text) input.current.value = '';
    } catch {
      if (own === latest.current)
        setAnswer(t('The search gets no answer at the moment. Try again in a moment.'));
    }
  }

  return (
    <>
      <search class="find">
        <form class="find" action="/search" onSubmit={search}>
          <label class="unseen" for="q">
            {t('Search for a block, transaction, address, name, token, proof or payment')}
          </label>
          <input
            id="q"
            name="q"
            ref={input}
            type="text"
            inputMode="search"
            enterKeyHint="search"
            // As long as the API takes it: a payment URI may have a long message.
            maxLength={1_000}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={t('Block, transaction, address, name, token, digest')}
            aria-keyshortcuts="/"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={list !== undefined}
            aria-controls={list?.listId}
            aria-activedescendant={list?.activeId}
            onFocus={loadSuggestions}
          />
          <button type="submit">{t('Search')}</button>
        </form>
        {Suggestions !== undefined && input.current !== null && (
          <Suggestions
            input={input.current}
            onList={setList}
            onChoose={({ path, label }) => show(path, label)}
          />
        )}
      </search>
      <p class="find-answer" role="status">
        {answer}
      </p>
    </>
  );
}

/** Keeps what was found for the next time, but nothing that holds a private key. */
async function remember(path: string, label?: string): Promise<void> {
  try {
    const { rememberSearch } = await import('../search/recent-searches.ts');
    if (!(await hidesPrivateKey(`${path} ${label ?? ''}`))) rememberSearch(path, label);
  } catch {
    // Its code could not be fetched: this one is not kept.
  }
}
