import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { type ComponentChildren, createContext } from 'preact';
import type { Read } from '../data/use-read.ts';
import { language, type MessageKey, t, type Words } from '../language/messages.ts';
import { place } from '../router.tsx';

/** Whether what is shown is another page of the list than the one that was asked for. */
export const Turning = createContext(false);

/** What is there while nothing is. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

/** What is there while it is read. */
export function Loading({ what }: { what: Words }) {
  return (
    <p class="loading" role="status">
      {t('Reading {what} …', { what: t(what) })}
    </p>
  );
}

/** What went wrong with a part of a page, and what can be done. */
export function Trouble({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { headline, requestId } = describeError(error);
  const isOfCursor = isCoinfrontError(error) && /^(invalid_cursor|cursor_expired)$/.test(error.code);
  return (
    <div class="trouble" role="alert">
      <strong>{headline}</strong> <ErrorDetail error={error} />
      {requestId !== undefined && <span class="quiet"> {t('(request {id})', { id: requestId })}</span>}
      {isOfCursor && (
        <p>
          <a href={place.get().path}>{t('First page')}</a>
        </p>
      )}
      {onRetry !== undefined && !isOfCursor && (
        <p class="row">
          <button type="button" class="act second" onClick={onRetry}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}

/** Shows a read in whichever state it is; earlier data stay when reading them again fails. */
export function Reading<T>({
  read,
  what,
  children,
}: {
  read: Read<T>;
  what: Words;
  children: (data: T) => ComponentChildren;
}) {
  if (read.data !== undefined) {
    return (
      <Turning.Provider value={read.isTurning}>
        {read.error !== undefined && <Trouble error={read.error} onRetry={read.reload} />}
        {children(read.data)}
      </Turning.Provider>
    );
  }
  if (read.error !== undefined) return <Trouble error={read.error} onRetry={read.reload} />;
  return <Loading what={what} />;
}

/** Whether a read says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return isCoinfrontError(error) && (error.status === 404 || error.status === 400);
}

const headlines: Readonly<Record<string, MessageKey>> = {
  network_error: 'The service cannot be reached.',
  timeout: 'The service takes too long to answer.',
  rate_limited: 'Too many requests came from your network in the last minute.',
  not_ready: 'The service has no block yet.',
};

function describeError(error: unknown): { headline: string; requestId: string | undefined } {
  if (!isCoinfrontError(error)) return { headline: t('This could not be shown.'), requestId: undefined };
  const { code, requestId } = error;
  return { headline: t(headlines[code] ?? 'This cannot be shown.'), requestId };
}

/** What the API says of an error, in the reader's language where there are words for its code. */
export function ErrorDetail({ error }: { error: unknown }) {
  if (!isCoinfrontError(error)) return <>{String(error)}</>;
  const { code, detail } = error;
  if (code === 'network_error') return <>{t('It is tried again by itself.')}</>;
  const said = language.errors[code];
  return said === undefined ? <span lang="en">{detail}</span> : said;
}
