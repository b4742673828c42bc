import type { PageProblem } from '../data/preloaded.ts';
import { asIs, type MessageKey, rich, t } from '../language/messages.ts';
import { PageTitle } from '../ui/page.tsx';

/** What could not be shown, and where to go from here. */
export function ProblemPage({ problem }: { problem: PageProblem }) {
  const { title, lead } = describe(problem);
  return (
    <>
      <PageTitle kind={asIs(String(problem.status))} title={title} lead={t(lead)} />
      <p class="prose">
        {rich(
          '{link}, or the search above, which takes heights, hashes, addresses, names, tokens and digests.',
          { link: <a href="/">{t('The latest blocks')}</a> },
        )}
      </p>
      {problem.request_id !== '' && (
        <p class="note">{t('Request {id}, {code}', { id: problem.request_id, code: problem.code })}</p>
      )}
    </>
  );
}

function describe({ status, code }: PageProblem): { title: MessageKey; lead: MessageKey } {
  if (code === 'private_key_refused') {
    return {
      title: 'That looks like a private key',
      lead: 'Whoever has it has the coins. It was not looked up and not logged, but it was sent: move the coins to a new wallet.',
    };
  }
  if (status === 404) return { title: 'Page not found', lead: 'There is nothing at this address.' };
  if (code === 'rate_limited') {
    return {
      title: 'Too many requests',
      lead: 'Too many requests came from your network in the last minute. Wait a minute and reload the page.',
    };
  }
  if (status >= 500) {
    return {
      title: 'This page cannot be shown now',
      lead: 'The fault is on our side. Reload the page in a moment.',
    };
  }
  return { title: 'This page cannot be shown', lead: 'Something in its address is not valid.' };
}
