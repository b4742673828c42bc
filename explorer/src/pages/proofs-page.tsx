import { getProofStatus } from '@coinfront/sdk/proofs/get-proof-status.ts';
import { listRecentAnchors } from '@coinfront/sdk/proofs/list-recent-anchors.ts';
import { useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { FileDrop } from '../hashing/file-drop.tsx';
import { hashedFile } from '../hashing/hashed-file.ts';
import { t } from '../language/messages.ts';
import { goTo, pathOf } from '../router.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { OtsDrop } from './ots-drop.tsx';

/** Where a file is hashed, and what was anchored lately. */
export function ProofsPage() {
  return (
    <>
      <PageTitle
        title="Proofs of existence"
        lead={t(
          'A proof shows that a file existed before a given block was mined. Only its SHA-256 digest is sent: the file and its name never leave your browser.',
        )}
      />
      <FileDrop
        label={t('Choose a file')}
        onDigest={(file) => {
          hashedFile.set(file);
          goTo(pathOf('proof', file.digest));
        }}
      />
      <DigestForm />
      <OtsDrop />
      <ProofFigures />
      <RecentAnchors />
    </>
  );
}

function DigestForm() {
  const [problem, setProblem] = useState('');
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('digest');
        const digest = String(given ?? '')
          .trim()
          .toLowerCase();
        if (/^[0-9a-f]{64}$/.test(digest)) goTo(pathOf('proof', digest));
        else setProblem(t('A SHA-256 digest has 64 hex digits.'));
      }}
    >
      <label for="digest">{t('Or a digest that you have made yourself (sha256sum)')}</label>
      <span class="row">
        <input id="digest" name="digest" class="mono" autocomplete="off" spellcheck={false} maxLength={80} />
        <button type="submit" class="act second">
          {t('Look up')}
        </button>
        <span role="status" class="quiet">
          {problem}
        </span>
      </span>
    </form>
  );
}

function ProofFigures() {
  const status = useRead('proof status', (options) => getProofStatus(client, options), 'tip');
  return (
    <Section title="Index status">
      <Reading read={status} what="the index of proofs">
        {(data) => (
          <Figures>
            <Figure name="Anchors">{formatCount(data.anchors)}</Figure>
            <Figure name="Final after" note={t('confirmations')}>
              {formatCount(data.final_confirmations)}
            </Figure>
            <Figure
              name="Anchored by this service"
              note={
                data.wallet.enabled
                  ? t('{left} of {limit} left today', {
                      left: formatCount(data.wallet.left_today),
                      limit: formatCount(data.wallet.daily_limit),
                    })
                  : t('you get the script for your own wallet')
              }
            >
              {data.wallet.enabled ? t('yes') : t('no')}
            </Figure>
            <Figure name="Chain hash" note={t('the same on every service in sync')}>
              <Hash value={data.chain_hash} what="chain hash" ends={5} />
            </Figure>
          </Figures>
        )}
      </Reading>
    </Section>
  );
}

function RecentAnchors() {
  const cursor = useCursor();
  const recent = useListRead(
    'anchors',
    cursor,
    (options) => listRecentAnchors(client, { limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section title="Latest anchors">
      <Reading read={recent} what="the latest anchors">
        {(page) => (
          <PagedTable
            page={page}
            what="anchors"
            empty="Nothing is anchored yet. The first proof could be yours."
            columns={[
              'Digest',
              'Age',
              { heading: 'Transaction', class: 'wide' },
              { heading: 'Block', class: 'number' },
            ]}
            row={(anchor) => (
              <tr key={`${anchor.txid}:${anchor.vout}`}>
                <td>
                  <Hash value={anchor.sha256} what="digest" href={pathOf('proof', anchor.sha256)} />
                </td>
                <td>
                  <When at={anchor.block_time} />
                </td>
                <td class="wide">
                  <TxLink txid={anchor.txid} />
                </td>
                <td class="number">
                  <BlockLink height={anchor.height} />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}
