import type { NameAvailabilityJson } from '@coinfront/api/names.ts';
import { rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Section } from '../ui/page.tsx';

/** How to have a name, or to keep it: in one's own wallet, for no key ever comes here. */
export function NamePurchase({ availability }: { availability: NameAvailabilityJson }) {
  const { name, available, status, if_committed_now: plan } = availability;
  if (status === 'inactive') return null;
  return available ? (
    <Section title="Register this name">
      <ol class="prose">
        <li>
          <strong>{t('Commit.')}</strong>{' '}
          {t(
            'Your wallet sends a transaction that hides the name, for the network fee alone, so that nobody can take it from you in between.',
          )}
        </li>
        <li>
          <strong>{t('Wait.')}</strong>{' '}
          {plan === null
            ? t('A commitment made now would be too old when the name is free.')
            : rich('Committed in the next block, it can be registered from {moment}.', {
                moment: <Moment at={plan.register_from} />,
              })}
        </li>
        <li>
          <strong>{t('Register.')}</strong>{' '}
          {plan === null
            ? t('Your wallet reveals the name and pays the price.')
            : rich('Your wallet reveals the name and pays {amount} for one period.', {
                amount: <Amount value={plan.total} />,
              })}
        </li>
      </ol>
      <Command text={`npm run coin -- name register ${name}`} />
    </Section>
  ) : (
    <Section title="Renew this name">
      <p class="prose">{t('Anyone can pay for the renewal; the owner stays the same.')}</p>
      <Command text={`npm run coin -- name renew ${name}`} />
    </Section>
  );
}

function Command({ text }: { text: string }) {
  return (
    <>
      <pre>
        {text}
        <CopyButton text={text} what="command" />
      </pre>
      <p class="quiet">
        {rich('Other wallets build the same transactions by the {link}.', {
          link: <a href="/developers/names">{t('name operations of the API')}</a>,
        })}
      </p>
    </>
  );
}
