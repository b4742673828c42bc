import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { coin } from '../data/coin.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Loading, Trouble } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { apiDocuments } from './api-documents.ts';

/** Where those begin who build on the service. */
export function DevelopersPage() {
  const limits = coin.get()?.limits;
  const origin = location.origin;
  return (
    <>
      <PageTitle
        title="Developers"
        lead={t(
          'Everything on these pages is available through the API, without an API key. Private keys never leave the wallet: no operation accepts one.',
        )}
      />
      <Section title="Reference">
        <Table columns={['Part', { heading: 'Purpose', class: 'wide' }, 'OpenAPI']}>
          {apiDocuments.map(({ id, name, about, path }) => (
            <tr key={id}>
              <td>
                <a href={`/developers/${id}`}>{t(name)}</a>
              </td>
              <td class="wide">{t(about)}</td>
              <td>
                <a class="mono" href={path}>
                  {path}
                </a>
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      <div class="columns">
        <Section title="curl">
          <Example text={`curl ${origin}/api/v1/status`} />
          <Example text={`curl "${origin}/api/v1/blocks?limit=3"`} />
          <Example text={`curl ${origin}/api/v1/supply/circulating`} />
          <p class="quiet">
            {t(
              'Every answer names the block that it was read at in X-Chain-Height and X-Chain-Tip. Send the ETag back as If-None-Match and an unchanged answer costs nothing: 304.',
            )}
          </p>
        </Section>
        <Section title="TypeScript">
          <Example
            text={`import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { getBlock } from '@coinfront/sdk/chain/get-block.ts';

const client = createClient({ baseUrl: '${origin}' });
const block = await getBlock(client, { id: 100 });`}
          />
          <p class="quiet">
            {t(
              'One function an operation, typed; it runs in browsers and in Node, and signs on the side of the user.',
            )}
          </p>
        </Section>
      </div>
      <Section title="Limits">
        <Facts>
          <Fact name="Requests">
            {limits?.requests_per_minute == null
              ? t('unlimited here')
              : t('{count} units a minute for each address; RateLimit headers say what is left', {
                  count: formatCount(limits.requests_per_minute),
                })}
          </Fact>
          <Fact name="Pages of lists">
            {t('{count} items unless asked for more, {most} at most; next_cursor leads on', {
              count: limits?.page_default ?? '',
              most: limits?.page_max ?? '',
            })}
          </Fact>
          <Fact name="Transactions sent">
            {t('{count} bytes at most', {
              count: limits === undefined ? '' : formatCount(limits.broadcast_bytes),
            })}
          </Fact>
          <Fact name="Mining payouts">
            {t('{count} blocks looked at unless asked for more, {most} at most', {
              count: limits === undefined ? '' : formatCount(limits.scan_default),
              most: limits === undefined ? '' : formatCount(limits.scan_max),
            })}
          </Fact>
          <Fact name="Errors">{t('problem documents (RFC 9457) with a stable code and a request id')}</Fact>
        </Facts>
      </Section>
      <Section title="Changes">
        <ChangesOnDemand />
      </Section>
    </>
  );
}

/** The changelog is longer than this page: it comes when it is opened. */
function ChangesOnDemand() {
  const [Changes, setChanges] = useState<ComponentType | undefined>();
  const [error, setError] = useState<unknown>();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open);
        if (!currentTarget.open || Changes !== undefined) return;
        setError(undefined);
        import('../reference/changes.tsx').then((loaded) => setChanges(() => loaded.Changes), setError);
      }}
    >
      <summary>{t('What changed lately')}</summary>
      {!isOpen ? null : Changes !== undefined ? (
        <Changes />
      ) : error === undefined ? (
        <Loading what="the changes" />
      ) : (
        <Trouble error={t('They could not be fetched. Close this and open it again.')} />
      )}
    </details>
  );
}

function Example({ text }: { text: string }) {
  return (
    <pre>
      {text}
      <CopyButton text={text} what="example" />
    </pre>
  );
}
