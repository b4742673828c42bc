import type { PageProblem } from '../data/preloaded.ts';
import { PageTitle } from '../ui/page.tsx';

/** What could not be shown, and where to go from here. */
export function ProblemPage({ problem }: { problem: PageProblem }) {
  const { title, lead } = describe(problem);
  return (
    <>
      <PageTitle kind={String(problem.status)} title={title} lead={lead} />
      <p class="prose">
        <a href="/">The latest blocks</a>, or the search above, which takes heights, hashes, addresses, names,
        tokens and digests.
      </p>
      {problem.request_id !== '' && (
        <p class="note">
          Request {problem.request_id}, {problem.code}
        </p>
      )}
    </>
  );
}

function describe({ status, code }: PageProblem): { title: string; lead: string } {
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
