import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';
import { PageTitle } from './page.tsx';

/** A page of something that is not there, with what it may be instead. */
export function Missing({
  kind,
  value,
  children,
}: {
  kind: string;
  value: string;
  children?: ComponentChildren;
}) {
  return (
    <>
      <PageTitle kind={kind} title={`${kind} not found`} />
      <p class="prose">
        Nothing here goes by <span class="mono">{value.slice(0, 200)}</span>
        <CopyButton text={value} what="what was looked for" />
      </p>
      <div class="prose">{children}</div>
    </>
  );
}
