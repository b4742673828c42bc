import type { ReleaseJson } from '@coinfront/api/chain-releases.ts';
import { listReleases } from '@coinfront/sdk/chain/list-releases.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatBytes } from '../format/number.ts';
import { asIs, t } from '../language/messages.ts';
import { Hash } from '../ui/hash.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** Software of the coin, with what it is checked by. */
export function ReleasesPage() {
  const releases = useRead('releases', (options) => listReleases(client, options), 'nothing');
  return (
    <>
      <PageTitle
        title="Releases"
        lead={t('Before you run a download, compare its SHA-256 digest with the one shown here.')}
      />
      <Reading read={releases} what="releases">
        {({ items, configured }) =>
          items.length === 0 ? (
            <Empty>
              {configured
                ? t('Nothing has been released yet.')
                : t('The operator of this service publishes no list of releases.')}
            </Empty>
          ) : (
            items.map((release) => (
              <ReleaseView key={`${release.product} ${release.version}`} release={release} />
            ))
          )
        }
      </Reading>
    </>
  );
}

function ReleaseView({ release }: { release: ReleaseJson }) {
  return (
    <Section title={asIs(`${release.product} ${release.version}`)} aside={<When at={release.published_at} />}>
      {release.notes !== undefined && <bdi class="foreign">{release.notes}</bdi>}
      <Table
        columns={[
          'File',
          { heading: 'System', class: 'wide' },
          'SHA-256',
          { heading: 'Size', class: 'number' },
        ]}
      >
        {release.files.map((file) => (
          <tr key={file.sha256}>
            <td>
              <a href={file.url} rel="noopener noreferrer">
                {file.name}
              </a>
              {file.signature_url !== undefined && (
                <>
                  {' '}
                  <a
                    href={file.signature_url}
                    rel="noopener noreferrer"
                    aria-label={t('Signature of {name}', { name: file.name })}
                  >
                    {t('signature')}
                  </a>
                </>
              )}
            </td>
            <td class="wide">{file.platform ?? ''}</td>
            <td>
              <Hash value={file.sha256} what="digest" />
            </td>
            <td class="number">{formatBytes(file.size)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
