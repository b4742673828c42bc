import type { ProofJson } from '@coinfront/api/proofs.ts';
import { compareAnchorPlaces } from '@coinfront/protocol/proofs/anchor.ts';
import { getCalendarLeaf } from '@coinfront/sdk/proofs/get-calendar-leaf.ts';
import { lookUpProof } from '@coinfront/sdk/proofs/look-up-proof.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { type ChosenProof, chooseProof, scriptOfRoot } from '../format/choose-proof.ts';
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
import { isNotFound, Loading, Reading, Trouble } from '../ui/states.tsx';
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
  pending: { tone: 'moving', text: 'taken, waits for its transaction' },
  mempool: { tone: 'moving', text: 'waits for a block' },
  confirmed: { tone: 'moving', text: 'confirmed' },
  final: { tone: 'done', text: 'final' },
} as const;

function ProofView({ proof, onChange }: { proof: ProofJson; onChange: () => void }) {
  const calendar = useRead(
    `leaf ${proof.sha256}`,
    (options) => getCalendarLeaf(client, { sha256: proof.sha256 }, options),
    'content',
  );
  // Which proof is the earlier one has to be known before one is shown.
  if (calendar.data === undefined && calendar.error === undefined) return <Loading what="the proof" />;
  const chosen = chooseProof(proof, calendar.data);
  const { anchor, leaf } = chosen;
  const waiting = [...proof.pending, ...(calendar.data?.pending ?? [])];
  return (
    <>
      <Facts>
        <Fact name="State">
          <Mark tone={states[chosen.state].tone}>{t(states[chosen.state].text)}</Mark>
        </Fact>
        {anchor !== null && (
          <>
            <Fact name="Existed before">
              <WhenExactly at={anchor.median_time} />
            </Fact>
            <Fact name="Block">
              <BlockLink height={anchor.height} />, {formatCountOf(anchor.confirmations, 'confirmation')}
            </Fact>
            <Fact name="Transaction">
              <TxLink txid={anchor.txid} />{' '}
              <span class="quiet">{t('output {index}', { index: anchor.vout })}</span>
            </Fact>
          </>
        )}
        {leaf !== undefined && (
          <Fact name="Calendar">
            {t("leaf {index} of the {size} digests of the calendar's tree", {
              index: formatCount(leaf.index),
              size: formatCount(leaf.size),
            })}
          </Fact>
        )}
        {proof.anchors > 1 && (
          <Fact name="Anchored">{t('{count} times', { count: formatCount(proof.anchors) })}</Fact>
        )}
        {waiting.map(({ txid, first_seen: seen }) => (
          <Fact key={txid} name="Unconfirmed">
            <TxLink txid={txid} /> <When at={seen} />
          </Fact>
        ))}
        <Fact name="Script">
          <Hash
            value={leaf === undefined ? proof.script : scriptOfRoot(proof.script, leaf.root)}
            what="data-carrier script"
            ends={14}
          />
        </Fact>
      </Facts>
      {calendar.error !== undefined && <Trouble error={calendar.error} />}
      {chosen.state === 'unknown' && calendar.error === undefined && (
        <AnchorOffer proof={proof} onAnchored={onChange} />
      )}
      {anchor !== null && <ProofVerdict proof={proof} anchor={anchor} leaf={leaf} />}
      <FurtherAnchors proof={proof} chosen={chosen} />
    </>
  );
}

function FurtherAnchors({ proof, chosen: { later } }: { proof: ProofJson; chosen: ChosenProof }) {
  const further = [
    ...(later === undefined ? [] : [{ ...later.anchor, isCalendar: later.isCalendar }]),
    ...proof.further.map((anchor) => ({ ...anchor, isCalendar: false })),
  ].sort(compareAnchorPlaces);
  if (further.length === 0) return null;
  return (
    <Section title="Further anchors" aside={t('the earliest one counts')}>
      <Table columns={['Transaction', { heading: 'Block', class: 'number' }]}>
        {further.map((anchor) => (
          <tr key={`${anchor.txid}:${anchor.vout}`}>
            <td>
              <TxLink txid={anchor.txid} />{' '}
              {anchor.isCalendar && <span class="quiet">{t("of the calendar's tree")}</span>}
            </td>
            <td class="number">
              <BlockLink height={anchor.height} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
