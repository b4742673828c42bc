import { suggest } from '@coinfront/sdk/chain/suggest.ts';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { hidesPrivateKey, shortestKey } from '../data/hides-private-key.ts';
import { pulse } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { t } from '../language/messages.ts';
import { readStart, type Suggested, suggestTyped } from './read-typed.ts';
import { listRecentSearches } from './recent-searches.ts';

/** Whoever types on within that time asks once. */
const PAUSE_MS = 150;
const MOST = 10;
const MOST_RECENT = 3;
/** Digits of a token's id beside its ticker, which others can have as well. */
const ENDS_OF_ID = 5;

/** What is suggested for a text: what it is by its form, recent searches, and what the service has that begins with it. */
export function useSuggestions(text: string): Suggested[] {
  const isSafe = useIsSafe(text);
  const asked = useAsked(isSafe ? readStart(text) : undefined);
  const tipHeight = useStore(pulse).stats?.height;
  if (!isSafe) return [];
  const recent = listRecentSearches();
  if (text === '') return recent;
  const typed = suggestTyped(text, tipHeight);
  const start = text.toLowerCase();
  const begins = ({ label, path }: Suggested) =>
    [label, path.slice(path.lastIndexOf('/') + 1)].some((each) => each.toLowerCase().startsWith(start));
  const all = [
    ...(typed === undefined ? [] : [typed]),
    ...recent
      .filter(begins)
      .slice(0, MOST_RECENT)
      .map((each) => ({ ...each, note: t('recent') })),
    ...asked.filter(begins),
  ];
  return all.filter(({ path }, i) => all.findIndex((each) => each.path === path) === i).slice(0, MOST);
}

/** Whether it is known that a text holds no private key. */
function useIsSafe(text: string): boolean {
  const [checked, setChecked] = useState('');
  useEffect(() => {
    let isLate = false;
    void hidesPrivateKey(text).then(
      (isKey) => !isLate && !isKey && setChecked(text),
      () => {},
    );
    return () => {
      isLate = true;
    };
  }, [text]);
  return text.length < shortestKey || checked === text;
}

/** What the service says of the latest text; answers to earlier ones are dropped. */
function useAsked(start: string | undefined): Suggested[] {
  const [found, setFound] = useState<Suggested[]>([]);
  useEffect(() => {
    if (start === undefined) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { items } = await suggest(client, { q: start }, { signal: leaving.signal });
        if (!leaving.signal.aborted) setFound(items.map(toSuggested));
      } catch {
        // Suggestions are a help; the search itself says what is wrong.
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [start]);
  return start === undefined ? [] : found;
}

function toSuggested({ kind, id, label }: Awaited<ReturnType<typeof suggest>>['items'][number]): Suggested {
  return kind === 'name'
    ? { what: 'Name', label, path: `/name/${encodeURIComponent(id)}` }
    : { what: 'Token', label, note: shortenMiddle(id, ENDS_OF_ID), path: `/token/${encodeURIComponent(id)}` };
}
