import type { NewIntentJson } from '@coinfront/api/treasury.ts';
import { readContributor } from '@coinfront/sdk/treasury/read-contributor.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { AddressLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { When } from '../ui/when.tsx';

const states = {
  open: { tone: 'moving', text: 'waits for your payment' },
  confirming: { tone: 'moving', text: 'is being confirmed' },
  verified: { tone: 'done', text: 'verified, thank you' },
  expired: { tone: 'warning', text: 'expired, still credited if it comes' },
  closed: { tone: 'warning', text: 'closed' },
} as const;

/** What to pay, how it will be recognised, and how far it is. */
export function ContributionRequest({
  intent,
  secret,
  isNew,
  onEnd,
}: {
  intent: NewIntentJson;
  secret: string;
  isNew: boolean;
  onEnd: () => void;
}) {
  const account = useRead(
    `intent ${intent.id}`,
    (options) => readContributor(client, { contributor_secret: secret }, options),
    'content and time',
  );
  const state = account.data?.intents.find(({ id }) => id === intent.id)?.state ?? intent.state;
  const contribution = account.data?.contributions.find(({ intent_id: id }) => id === intent.id);
  const { tone, text } = states[state];
  const isOpen = state === 'open' || state === 'expired';
  return (
    <>
      <p role="status">
        <Mark tone={tone}>{t(text)}</Mark>
      </p>
      {isNew && (
        <div class="alarm">
          <strong>{t('Keep this secret.')}</strong>{' '}
          {t('It shows that the contribution is yours, is told this once and moves no coins.')}
          <pre>
            {secret}
            <CopyButton text={secret} what="contributor secret" />
          </pre>
        </div>
      )}
      {isOpen && intent.payment_uri !== null && (
        <QrCode text={intent.payment_uri} label={t('QR code of this contribution')} />
      )}
      <Facts>
        {intent.exact_amount !== null && (
          <Fact name="Pay exactly">
            <strong>
              <Amount value={intent.exact_amount} />
            </strong>
            <CopyButton text={intent.exact_amount} what="amount" />
          </Fact>
        )}
        <Fact name="To">
          <AddressLink address={intent.address} />
        </Fact>
        {contribution !== undefined && (
          <Fact name="Received">
            <TxLink txid={contribution.txid} ends={6} />
          </Fact>
        )}
        <Fact name="Valid until">
          <When at={intent.expires_at} />
        </Fact>
        {intent.carrier !== null && (
          <Fact name="Or any amount to">
            <span class="mono">{intent.carrier.script}</span>
            <CopyButton text={intent.carrier.script} what="data-carrier script" />
          </Fact>
        )}
      </Facts>
      {isOpen && (
        <p class="quiet">
          {t(
            'The last digits tell it from all others: pay no base unit more or less. A wallet that adds the output above may pay any amount.',
          )}
        </p>
      )}
      <p class="row">
        {isOpen && intent.payment_uri !== null && (
          <a class="act" href={intent.payment_uri}>
            {t('Open in a wallet')}
          </a>
        )}
        <button type="button" class="act second" onClick={onEnd}>
          {t('Close')}
        </button>
      </p>
    </>
  );
}
