import type { AnchorResultJson, ProofJson } from '@coinfront/api/proofs.ts';
import { anchorDigest } from '@coinfront/sdk/proofs/anchor-digest.ts';
import { useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Section } from '../ui/page.tsx';
import { Trouble } from '../ui/states.tsx';

const reasons: Readonly<Record<NonNullable<AnchorResultJson['reason']>, MessageKey>> = {
  no_wallet: 'This service does not send transactions of its own.',
  daily_limit: 'This service has reached its daily limit of anchors.',
  daily_limit_per_client: 'Your network has reached its daily limit of anchors at this service.',
  wallet_unavailable: "This service's own wallet cannot send at the moment.",
};

/** How to get a digest into the chain: by the service where it does so, else by one's own wallet. */
export function AnchorOffer({ proof, onAnchored }: { proof: ProofJson; onAnchored: () => void }) {
  const [result, setResult] = useState<AnchorResultJson | undefined>();
  const [error, setError] = useState<unknown>();
  const [isSending, setIsSending] = useState(false);

  async function anchor(): Promise<void> {
    setIsSending(true);
    setError(undefined);
    try {
      const answer = await anchorDigest(client, { sha256: proof.sha256 });
      setResult(answer);
      onAnchored();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <Section title="Anchor this digest">
      <div class="prose">
        <p>
          {t(
            'No transaction carries this digest. Once one does, everybody can see that the file existed by then.',
          )}
        </p>
        <p class="row">
          <button type="button" class="act" disabled={isSending} onClick={anchor}>
            {isSending ? t('Sending …') : t('Anchor the digest')}
          </button>
        </p>
        {error !== undefined && <Trouble error={error} />}
        <div role="status">
          {result !== undefined && result.result !== 'script' && (
            <p>{t('The service sends the transaction. This page updates by itself.')}</p>
          )}
          {result?.result === 'script' && <p>{result.reason === null ? '' : t(reasons[result.reason])}</p>}
        </div>
        <p>{t('With your own wallet: send a transaction with an output of value 0 and this script.')}</p>
        <pre>
          {proof.script}
          <CopyButton text={proof.script} what="data-carrier script" />
        </pre>
      </div>
    </Section>
  );
}
