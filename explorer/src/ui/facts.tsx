import type { ComponentChildren } from 'preact';
import { t, type Words } from '../language/messages.ts';

/** What is known of a thing, line by line. */
export function Facts({
  layout = '',
  children,
}: {
  layout?: '' | 'two' | 'right';
  children: ComponentChildren;
}) {
  return <dl class={layout === '' ? 'facts' : `facts facts-${layout}`}>{children}</dl>;
}

/** One line. */
export function Fact({ name, children }: { name: Words; children: ComponentChildren }) {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The few figures that a page begins with. */
export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>;
}

/** One figure, with what explains it. */
export function Figure({
  name,
  children,
  note,
}: {
  name: Words;
  children: ComponentChildren;
  note?: ComponentChildren;
}) {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>
        {children}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}
