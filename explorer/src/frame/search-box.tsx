import { useEffect, useRef, useState } from 'preact/hooks';
import { findPathOf, hidesPrivateKey } from '../data/find-anything.ts';
import { mostSearched } from '../data/read-search-text.ts';
import { useStore } from '../data/store.ts';
import { goTo, place } from '../router.tsx';

/** One box for everything. Without scripts it is a plain form. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  /** Counts searches: what an earlier one finds is of no interest any more. */
  const latest = useRef(0);
  const here = useStore(place);

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

  async function search(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '') return;
    latest.current += 1;
    const own = latest.current;
    try {
      if (await hidesPrivateKey(text)) {
        if (input.current !== null) input.current.value = '';
        setAnswer('That looks like a private key. It was not sent anywhere. Never type it into a page.');
        return;
      }
      const path = await findPathOf(text);
      if (own !== latest.current) return;
      goTo(path);
      // What was typed meanwhile is the next search.
      if (input.current?.value.trim() === text) input.current.value = '';
    } catch {
      if (own === latest.current)
        setAnswer('The search gets no answer at the moment. Try again in a moment.');
    }
  }

  return (
    <>
      <search class="find">
        <form class="find" action="/search" onSubmit={search}>
          <label class="unseen" for="q">
            Search for a block, transaction, address, name, token, proof or payment
          </label>
          <input
            id="q"
            name="q"
            ref={input}
            type="search"
            maxLength={mostSearched}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="Block, transaction, address, name, token, digest"
            aria-keyshortcuts="/"
          />
          <button type="submit">Search</button>
        </form>
      </search>
      <p class="find-answer" role="status">
        {answer}
      </p>
    </>
  );
}
