import type { ProofJson } from '@coinfront/api/proofs.ts';
import { getCalendarLeaf } from '@coinfront/sdk/proofs/get-calendar-leaf.ts';
import { lookUpProof } from '@coinfront/sdk/proofs/look-up-proof.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatBytes, formatCount, formatCountOf } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { hashedFile } from '../hashing/hashed-file.ts';
import { rich, t } from '../language/messages.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When, WhenExactly } from '../ui/when.tsx';
import { AnchorOffer } from './proof-anchor.tsx';
import { ProofVerdict } from './proof-verdict.tsx';

/** What is known of one digest. */
export function ProofPage({ parameter }: { parameter: string }) {
  const digest = parameter.toLowerCase();
  const proof = useRead(
    `proof ${digest}`,
    (options) => lookUpProof(client, { sha256: digest }, options),
    'content',
  );
  const file = useStore(hashedFile);
  if (proof.data === undefined && isNotFound(proof.error)) {
    return (
      <Missing kind="Proof" value={parameter}>
        <p>
          {rich('A SHA-256 digest has 64 hex digits. {link}.', {
            link: <a href="/proofs">{t('Hash a file')}</a>,
          })}
        </p>
      </Missing>
    );
  }
  return (
    <>
      <PageTitle
        kind="Proof of existence"
        title={t('Proof {digest}', { digest: shortenMiddle(digest) })}
        heading={<Hash value={digest} what="digest" ends={12} />}
        lead={
          file?.digest === digest
            ? rich('The digest of {name}, {bytes}, which stayed in this browser.', {
                name: <bdi class="foreign-line">{file.name}</bdi>,
                bytes: formatBytes(file.bytes),
              })
            : undefined
        }
      />
      <Reading read={proof} what="the proof">
        {(data) => <ProofView proof={data} onChange={proof.reload} />}
      </Reading>
    </>
  );
}

const states = {
  unknown: { tone: 'plain', text: 'not anchored' },
  mempool: { tone: 'moving', text: 'waits for a block' },
  confirmed: { tone: 'moving', text: 'confirmed' },
  final: { tone: 'done', text: 'final' },
} as const;

function ProofView({ proof, onChange }: { proof: ProofJson; onChange: () => void }) {
  const { primary } = proof;
  const { tone, text } = states[proof.state];
  return (
    <>
      <Facts>
        <Fact name="State">
          <Mark tone={tone}>{t(text)}</Mark>
        </Fact>
        {primary !== null && (
          <>
            <Fact name="Existed before">
              <WhenExactly at={primary.median_time} />
            </Fact>
            <Fact name="Block">
              <BlockLink height={primary.height} />, {formatCountOf(primary.confirmations, 'confirmation')}
            </Fact>
            <Fact name="Transaction">
              <TxLink txid={primary.txid} />{' '}
              <span class="quiet">{t('output {index}', { index: primary.vout })}</span>
            </Fact>
          </>
        )}
        {proof.anchors > 1 && (
          <Fact name="Anchored">{t('{count} times', { count: formatCount(proof.anchors) })}</Fact>
        )}
        {proof.pending.map(({ txid, first_seen: seen }) => (
          <Fact key={txid} name="Unconfirmed">
            <TxLink txid={txid} /> <When at={seen} />
          </Fact>
        ))}
        <Fact name="Script">
          <Hash value={proof.script} what="data-carrier script" ends={14} />
        </Fact>
      </Facts>
      {proof.state === 'unknown' && <LeafOrOffer proof={proof} onChange={onChange} />}
      {primary !== null && <ProofVerdict proof={proof} anchor={primary} />}
      {proof.further.length > 0 && (
        <Section title="Further anchors" aside={t('the earliest one counts')}>
          <Table columns={['Transaction', { heading: 'Block', class: 'number' }]}>
            {proof.further.map((anchor) => (
              <tr key={`${anchor.txid}:${anchor.vout}`}>
                <td>
                  <TxLink txid={anchor.txid} />
                </td>
                <td class="number">
                  <BlockLink height={anchor.height} />
                </td>
              </tr>
            ))}
          </Table>
        </Section>
      )}
    </>
  );
}

/** A digest that no transaction carries itself: what the calendar has of it, or how to get it into the chain. */
function LeafOrOffer({ proof, onChange }: { proof: ProofJson; onChange: () => void }) {
  const read = useRead(
    `leaf ${proof.sha256}`,
    (options) => getCalendarLeaf(client, { sha256: proof.sha256 }, options),
    'content',
  );
  const { leaf, primary, state } = read.data ?? {};
  if (read.data === undefined && read.error === undefined) return null;
  if (state === undefined || state === 'unknown') return <AnchorOffer proof={proof} onAnchored={onChange} />;
  return (
    <>
      <Facts>
        <Fact name="Calendar">
          {state === 'pending' ? (
            <Mark tone="moving">{t('taken, waits for its transaction')}</Mark>
          ) : (
            <Mark tone={states[state].tone}>{t(states[state].text)}</Mark>
          )}
        </Fact>
        {primary != null && (
          <>
            <Fact name="Existed before">
              <WhenExactly at={primary.median_time} />
            </Fact>
            <Fact name="Block">
              <BlockLink height={primary.height} />, {formatCountOf(primary.confirmations, 'confirmation')}
            </Fact>
          </>
        )}
      </Facts>
      {primary != null && leaf != null && <ProofVerdict proof={proof} anchor={primary} leaf={leaf} />}
    </>
  );
}
