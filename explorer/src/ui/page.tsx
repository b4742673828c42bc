import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { t, type Words } from '../language/messages.ts';

/** Title of the document and of the page, with what kind of thing it shows. */
export function PageTitle({
  title,
  heading,
  kind,
  lead,
}: {
  /** For the tab. */
  title: Words;
  /** For the page, where it is more than the title. */
  heading?: ComponentChildren;
  kind?: Words;
  lead?: ComponentChildren;
}) {
  const name = useStore(coin)?.name;
  const told = t(title);
  useEffect(() => {
    if (name !== undefined) document.title = `${told} · ${name}`;
  }, [told, name]);
  return (
    <div class="title">
      {kind !== undefined && <p class="kind">{t(kind)}</p>}
      <h1 tabIndex={-1}>{heading ?? told}</h1>
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
  title: Words;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section>
      <h2 tabIndex={-1}>
        {t(title)}
        {aside !== undefined && <small>{aside}</small>}
      </h2>
      {children}
    </section>
  );
}
