import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { groupOperations, type OpenApi, readOpenApi } from '../data/open-api.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCountOf } from '../format/number.ts';
import { asIs, rich, t } from '../language/messages.ts';
import { filterOperations, type OperationGroups } from '../reference/filter-operations.ts';
import { ReferenceMenu } from '../reference/reference-menu.tsx';
import { readBase } from '../reference/write-examples.ts';
import { place } from '../router.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { apiDocuments } from './api-documents.ts';
import { OperationView } from './reference-operation.tsx';

/** The reference of one document, made of the document itself. */
export function ReferencePage({ parameter: id }: { parameter: string }) {
  const entry = apiDocuments.find((each) => each.id === id);
  const document = useRead(
    entry === undefined ? undefined : `openapi ${id}`,
    ({ signal }) => readOpenApi(entry?.path ?? '', signal),
    'nothing',
  );
  if (entry === undefined || (document.data === undefined && isNotFound(document.error))) {
    return (
      <Missing kind="Reference" value={id}>
        <p>
          {rich('This service has no such part. {link}.', {
            link: <a href="/developers">{t('All documents')}</a>,
          })}
        </p>
      </Missing>
    );
  }
  return (
    <>
      <PageTitle kind="API reference" title={entry.name} lead={t(entry.about)} />
      <nav class="tabs" aria-label={t('Documents')}>
        {apiDocuments.map(({ id: other, name }) => (
          <a key={other} href={`/developers/${other}`} aria-current={other === id ? 'page' : undefined}>
            {t(name)}
          </a>
        ))}
      </nav>
      <Reading read={document} what="the document">
        {(data) => <DocumentView document={data} />}
      </Reading>
    </>
  );
}

function DocumentView({ document }: { document: OpenApi }) {
  const base = readBase(document.servers?.[0]?.url ?? '', location.origin);
  const groups = useMemo(() => groupOperations(document), [document]);
  const [filter, setFilter] = useState('');
  const shown = filterOperations(groups, filter);
  const { hash, isReturn } = useStore(place);
  /** The operation that the address names, until it is shown. */
  const asked = useRef('');
  useEffect(() => {
    asked.current = hash;
  }, [hash, document]);
  useEffect(() => {
    if (asked.current === '') return;
    const named = globalThis.document.getElementById(asked.current);
    // The filter may leave it out.
    if (named === null && filter !== '') {
      setFilter('');
      return;
    }
    asked.current = '';
    const details = named?.querySelector('details');
    if (!details) return;
    details.open = true;
    if (isReturn) return;
    details.querySelector('summary')?.focus({ preventScroll: true });
    named?.scrollIntoView();
  }, [hash, isReturn, document, filter]);
  return (
    <div class="reference">
      <ReferenceMenu groups={shown} />
      <div>
        <p class="quiet">
          {rich('{title}, version {version}; all paths below {prefix}', {
            title: document.info.title,
            version: document.info.version,
            prefix: <code>{base.prefix}</code>,
          })}
        </p>
        <div class="field">
          <label for="filter">{t('Filter operations')}</label>
          <input
            id="filter"
            type="search"
            maxLength={100}
            autocomplete="off"
            spellcheck={false}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </div>
        <p class="note" role="status">
          {t('{count} of {operations}', {
            count: countOf(shown),
            operations: formatCountOf(countOf(groups), 'operation'),
          })}
        </p>
        {shown.map(([tag, operations]) => (
          <Section key={tag} title={asIs(tag)}>
            <ul class="methods">
              {operations.map((placed) => (
                <OperationView
                  key={`${placed.method} ${placed.path}`}
                  placed={placed}
                  base={base}
                  document={document}
                />
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </div>
  );
}

function countOf(groups: OperationGroups): number {
  return groups.reduce((sum, [, operations]) => sum + operations.length, 0);
}
