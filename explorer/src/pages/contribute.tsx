import type { NewIntentJson } from '@coinfront/api/treasury.ts';
import { useState } from 'preact/hooks';
import { beginContribution, findAmountFault } from '../data/begin-contribution.ts';
import { client } from '../data/client.ts';
import { coin, useTicker } from '../data/coin.ts';
import { formatAmountShort, readAmount } from '../format/amount.ts';
import { t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Section } from '../ui/page.tsx';
import { Trouble } from '../ui/states.tsx';
import { ContributionRequest } from './contribution-request.tsx';

/** What was made: the request, and the secret that shows whose it is. */
type Made = { intent: NewIntentJson; secret: string; isNew: boolean };

const SECRET_BYTES = 32;

/** Asks for an amount and for who gives it, and shows what to pay. */
export function Contribute({ minimum }: { minimum: string }) {
  const [made, setMade] = useState<Made | undefined>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const [hasSecret, setHasSecret] = useState(false);
  const [ownSecret] = useState(makeSecret);
  /** Whether the service knows it: then it is all that shows whose the nickname is, whatever became of the contribution. */
  const [isJoined, setIsJoined] = useState(false);

  async function begin(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    setIsBusy(true);
    setError(undefined);
    try {
      const secret = hasSecret ? text('secret').toLowerCase() : ownSecret;
      const join =
        hasSecret || isJoined
          ? undefined
          : { nickname: text('nickname'), isPublic: given.get('public') !== null };
      const intent = await beginContribution(client, { secret, join }, readAmount(text('amount')), () =>
        setIsJoined(true),
      );
      setMade({ intent, secret, isNew: !hasSecret });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsBusy(false);
    }
  }

  if (made !== undefined) {
    return (
      <Section title="Your contribution">
        <ContributionRequest {...made} onEnd={() => setMade(undefined)} />
      </Section>
    );
  }
  return (
    <Section title="Contribute">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isAmountRight(event.currentTarget, minimum)) void begin(event.currentTarget);
        }}
      >
        <div class="field">
          <label for="give">
            {t('Amount in {ticker}, at least {minimum}', {
              ticker: useTicker(),
              minimum: formatAmountShort(minimum),
            })}
          </label>
          <input
            id="give"
            name="amount"
            inputMode="decimal"
            autocomplete="off"
            required
            maxLength={40}
            onInput={(event) => event.currentTarget.setCustomValidity('')}
          />
        </div>
        {hasSecret ? (
          <div class="field">
            <label for="secret">{t('Your contributor secret, 64 hex digits')}</label>
            <input
              id="secret"
              name="secret"
              type="password"
              class="mono"
              autocomplete="off"
              required
              pattern="[0-9a-fA-F]{64}"
              maxLength={64}
            />
          </div>
        ) : isJoined ? (
          <div class="alarm">
            <strong>{t('Keep this secret.')}</strong>{' '}
            {t('You are registered, and it is all that shows who you are.')}
            <pre>
              {ownSecret}
              <CopyButton text={ownSecret} what="contributor secret" />
            </pre>
          </div>
        ) : (
          <>
            <div class="field">
              <label for="nickname">{t('Nickname, if you like')}</label>
              <input id="nickname" name="nickname" autocomplete="off" maxLength={100} />
            </div>
            <p class="choice">
              <input id="public" name="public" type="checkbox" />
              <label for="public">{t('Show it in public; otherwise you are "Anonymous"')}</label>
            </p>
          </>
        )}
        <p class="row">
          <button type="submit" class="act" disabled={isBusy}>
            {isBusy ? t('One moment …') : t('Show what to pay')}
          </button>
          <button type="button" class="act second" onClick={() => setHasSecret(!hasSecret)}>
            {hasSecret ? t('I am new here') : t('I have contributed before')}
          </button>
        </p>
      </form>
      {error !== undefined && <Trouble error={error} />}
    </Section>
  );
}

/** Says at the field what is wrong with the amount, before anybody is registered for it. */
function isAmountRight(form: HTMLFormElement, minimum: string): boolean {
  const field = form.elements.namedItem('amount') as HTMLInputElement;
  const decimals = coin.get()?.decimals;
  // The service says it, too.
  if (decimals === undefined) return true;
  field.setCustomValidity(findAmountFault(readAmount(field.value.trim()), { minimum, decimals }) ?? '');
  return field.reportValidity();
}

/** Made here, so that it is nowhere else but in the requests that need it. */
function makeSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
