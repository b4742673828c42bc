import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';

/** Title of the document and of the page, with what kind of thing it shows. */
export function PageTitle({
  title,
  heading,
  kind,
  lead,
}: {
  /** For the tab. */
  title: string;
  /** For the page, where it is more than the title. */
  heading?: ComponentChildren;
  kind?: string;
  lead?: ComponentChildren;
}) {
  const name = useStore(coin)?.name;
  useEffect(() => {
    if (name !== undefined) document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div class="title">
      {kind !== undefined && <p class="kind">{kind}</p>}
      <h1 tabIndex={-1}>{heading ?? title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
  );
}

/** A part of a page. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section>
      <h2 tabIndex={-1}>
        {title}
        {aside !== undefined && <small>{aside}</small>}
      </h2>
      {children}
    </section>
  );
}
