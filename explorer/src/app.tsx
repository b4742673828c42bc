import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { coin } from './data/coin.ts';
import { dropPreloaded, pageProblem } from './data/preloaded.ts';
import { useStore } from './data/store.ts';
import { Alarm } from './frame/alarm.tsx';
import { Foot } from './frame/foot.tsx';
import { Tape } from './frame/tape.tsx';
import { Top } from './frame/top.tsx';
import { t } from './language/messages.ts';
import { ProblemPage } from './pages/problem-page.tsx';
import { findPage } from './pages.tsx';
import { place } from './router.tsx';
import { Loading, Trouble } from './ui/states.tsx';

/** The whole of the explorer: a frame, and in it the page of the present path. */
export function App() {
  const here = useStore(place);
  const isKnown = useStore(coin) !== undefined;
  const firstPath = useRef(here.path);
  const main = useRef<HTMLElement>(null);
  const hasMoved = here.path !== firstPath.current;
  if (hasMoved) firstPath.current = '';

  // Whoever reads with the keyboard or by ear is taken to the new page; the first page begins at its top as ever.
  useEffect(() => {
    if (!hasMoved) return;
    dropPreloaded();
    if (!isTyping()) main.current?.focus({ preventScroll: true });
  }, [here.path]);

  const Page = findPage(here.path);
  const refusal = hasMoved ? undefined : pageProblem;
  return (
    <>
      <a class="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <Top />
      <Tape />
      <Alarm />
      <main id="main" tabIndex={-1} ref={main}>
        {refusal !== undefined ? (
          <ProblemPage problem={refusal} />
        ) : isKnown ? (
          <Guarded key={here.path} page={Page} />
        ) : (
          <Loading what="the coin" />
        )}
      </main>
      <Foot />
    </>
  );
}

/** Whether something stands in the field that has the focus: whoever has begun the next search is not taken away from it. */
function isTyping(): boolean {
  const { activeElement: field } = document;
  return field instanceof HTMLInputElement && field.type === 'text' && field.value !== '';
}

/** A page that cannot be drawn says so, and leaves the rest as it is. */
function Guarded({ page: Page }: { page: ComponentType }) {
  const [error, reset] = useErrorBoundary();
  return error === undefined ? <Page /> : <Trouble error={error} onRetry={reset} />;
}
