import type { AppError } from '../../errors.ts';
import type { PageWords } from './page-head.ts';

/** What went wrong, in words for the one who looks at the page. */
export function describeProblem({ code, status }: AppError): PageWords {
  if (code === 'private_key_refused') {
    return {
      title: 'That looks like a private key',
      description:
        'Whoever has it has the coins. It was not looked up and not logged, but it was sent: move the coins to a new wallet.',
    };
  }
  if (status === 404) {
    return {
      title: 'Page not found',
      description:
        'There is nothing at this address. Search for what you are looking for, or start at the home page.',
    };
  }
  if (status === 405) {
    return { title: 'Pages are only read', description: 'This address answers GET and HEAD, nothing else.' };
  }
  if (code === 'rate_limited') {
    return {
      title: 'Too many requests',
      description:
        'Too many requests came from your network in the last minute. Wait a minute and reload the page.',
    };
  }
  if (status >= 500) {
    return {
      title: 'This page cannot be shown now',
      description: 'The fault is on our side. Reload the page in a moment.',
    };
  }
  return {
    title: 'This page cannot be shown',
    description: 'Check the address: something in it is not valid.',
  };
}
