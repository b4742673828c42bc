import { useEffect } from 'preact/hooks';
import { groupOperations, type OpenApi, readOpenApi } from '../data/open-api.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
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
          This service has no such part. <a href="/developers">All documents</a>.
        </p>
      </Missing>
    );
  }
  return (
    <>
      <PageTitle kind="API reference" title={entry.name} lead={entry.about} />
      <nav class="tabs" aria-label="Documents">
        {apiDocuments.map(({ id: other, name }) => (
          <a key={other} href={`/developers/${other}`} aria-current={other === id ? 'page' : undefined}>
            {name}
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
  const base = document.servers?.[0]?.url ?? '';
  const { hash, isReturn } = useStore(place);
  useEffect(() => {
    const named = hash === '' ? null : globalThis.document.getElementById(hash);
    const details = named?.querySelector('details');
    if (!details) return;
    details.open = true;
    if (isReturn) return;
    details.querySelector('summary')?.focus({ preventScroll: true });
    named?.scrollIntoView();
  }, [hash, isReturn, document]);
  return (
    <>
      <p class="quiet">
        {document.info.title}, version {document.info.version}; all paths below <code>{base}</code>
      </p>
      {groupOperations(document).map(([tag, operations]) => (
        <Section key={tag} title={tag}>
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
    </>
  );
}
