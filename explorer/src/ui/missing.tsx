import type { ComponentChildren } from 'preact';
import { rich, t, type Words } from '../language/messages.ts';
import { CopyButton } from './copy-button.tsx';
import { PageTitle } from './page.tsx';

/** A page of something that is not there, with what it may be instead. */
export function Missing({
  kind,
  value,
  children,
}: {
  kind: Words;
  value: string;
  children?: ComponentChildren;
}) {
  return (
    <>
      <PageTitle kind={kind} title={t('{kind} not found', { kind: t(kind) })} />
      <p class="prose">
        {rich('Nothing here goes by {value}', { value: <span class="mono">{value.slice(0, 200)}</span> })}
        <CopyButton text={value} what="what was looked for" />
      </p>
      <div class="prose">{children}</div>
    </>
  );
}
