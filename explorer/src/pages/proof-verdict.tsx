import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import type { ProofJson } from '@coinfront/api/proofs.ts';
import { getRawTransaction } from '@coinfront/sdk/chain/get-raw-transaction.ts';
import { useMemo, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useRead } from '../data/use-read.ts';
import { scriptOfRoot } from '../format/choose-proof.ts';
import { FileDrop } from '../hashing/file-drop.tsx';
import { t } from '../language/messages.ts';
import { buildProofDocument } from '../proof-verifier/build-document.ts';
import { checkProof, isGood, type ProofDocument } from '../proof-verifier/check-proof.ts';
import { Section } from '../ui/page.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Loading, Trouble } from '../ui/states.tsx';
import { ProofPaper } from './proof-paper.tsx';

type Anchor = NonNullable<ProofJson['primary']>;

/** Digits of the script before the marker: OP_RETURN and the length of the push. */
const MARKER_AT = 4;
const MARKER_DIGITS = 8;

/** The proof, checked here in the browser, to compare files with and to take home. */
export function ProofVerdict({
  proof,
  anchor,
  leaf,
}: {
  proof: ProofJson;
  anchor: Anchor;
  /** Of a digest that the calendar has. */
  leaf?: NonNullable<LeafJson['leaf']> | undefined;
}) {
  const raw = useRead(
    anchor.tx === null ? `raw ${anchor.txid}` : undefined,
    (options) => getRawTransaction(client, { txid: anchor.txid }, options),
    'nothing',
  );
  const tx = anchor.tx ?? raw.data?.raw_tx;
  if (tx === undefined) {
    return raw.error === undefined ? <Loading what="the transaction" /> : <Trouble error={raw.error} />;
  }
  return (
    <Verdict
      script={leaf === undefined ? proof.script : scriptOfRoot(proof.script, leaf.root)}
      document={{
        coin: coin.get()?.name ?? '',
        sha256: proof.sha256,
        marker: proof.script.slice(MARKER_AT, MARKER_AT + MARKER_DIGITS),
        txid: anchor.txid,
        vout: anchor.vout,
        position: anchor.position,
        height: anchor.height,
        block_hash: anchor.block_hash,
        median_time: anchor.median_time,
        tx,
        branch: anchor.branch,
        header: anchor.header,
        ...(leaf === undefined
          ? {}
          : { leaf: { index: leaf.index, size: leaf.size, path: leaf.path, root: leaf.root } }),
      }}
    />
  );
}

function Verdict({ document, script }: { document: ProofDocument; script: string }) {
  const checks = useMemo(() => checkProof(document), [JSON.stringify(document)]);
  const [compared, setCompared] = useState('');
  return (
    <>
      {isGood(checks) && <ProofPaper document={document} script={script} />}
      <Section
        title={isGood(checks) ? 'The proof holds' : 'The proof does not hold'}
        aside={t('checked in this browser')}
      >
        <ul class="checks">
          {checks.map(({ state, text }) => (
            <li key={text} class={state === 'good' ? '' : state}>
              {state === 'bad' && <strong>{t('This fails:')} </strong>}
              {text}
            </li>
          ))}
        </ul>
        <p class="row">
          <button type="button" class="act" onClick={() => void download(document)}>
            {t('Download the proof')}
          </button>
          <button type="button" class="act second" onClick={() => print()}>
            {t('Print the proof')}
          </button>
          <span class="quiet">
            {t('One file that checks itself, without a network and without this service.')}
          </span>
        </p>
      </Section>
      <Section title="Check a file">
        <FileDrop
          label={t('Choose the file')}
          onDigest={({ digest }) =>
            setCompared(
              digest === document.sha256
                ? t('This is the file: it has the digest of this proof.')
                : t('This is another file: its digest is {digest}.', { digest }),
            )
          }
        />
        <p role="status" class="note">
          {compared}
        </p>
      </Section>
    </>
  );
}

async function download(proof: ProofDocument): Promise<void> {
  const { default: script } = await import('virtual:proof-verifier');
  saveFile(
    new Blob([buildProofDocument(proof, script)], { type: 'text/html' }),
    `proof-${proof.sha256.slice(0, 16)}.html`,
  );
}
