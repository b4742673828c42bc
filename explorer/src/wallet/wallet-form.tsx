import { useState } from 'preact/hooks';
import { hidesPrivateKey } from '../data/hides-private-key.ts';
import { t } from '../language/messages.ts';
import { longestWalletText, readWalletText } from './read-wallet-text.ts';

/** What is asked of the service. */
export type WantedWallet = { key: string; script_type?: ScriptType; gap_limit?: number };

/** As the API takes it. */
const gapLimit = { default: 20, max: 100 };
const scriptTypes = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const;
type ScriptType = (typeof scriptTypes)[number];

/** Takes a public key. Nothing is sent before the button is pressed, and nothing at all that holds a private key. */
export function WalletForm({
  given,
  onWanted,
}: {
  given: string;
  onWanted: (wanted: WantedWallet | undefined) => void;
}) {
  const [problem, setProblem] = useState('');

  async function ask(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    const typed = String(values.get('key') ?? '');
    setProblem('');
    onWanted(undefined);
    try {
      if (await hidesPrivateKey(typed)) {
        form.reset();
        (form.elements.namedItem('key') as HTMLTextAreaElement).value = '';
        setProblem(t('That looks like a private key. It was not sent anywhere. Never type it into a page.'));
        return;
      }
    } catch {
      // Some browsers keep that a file could not be fetched.
      setProblem(
        t('What looks for private keys could not be fetched, so nothing was sent. Load the page again.'),
      );
      return;
    }
    const key = readWalletText(typed);
    if (key === undefined) {
      setProblem(
        t(
          'This is no extended public key and no descriptor. It was not sent. A key has 111 or 112 letters and digits, as xpub6… or zpub6…; a descriptor is such as wpkh(xpub6…/<0;1>/*).',
        ),
      );
      return;
    }
    const kind = scriptTypes.find((each) => each === values.get('script_type'));
    const gap = Number(values.get('gap_limit'));
    onWanted({
      key,
      // A descriptor says it by itself.
      ...(kind === undefined || key.includes('(') ? {} : { script_type: kind }),
      ...(Number.isInteger(gap) && gap > 0 ? { gap_limit: gap } : {}),
    });
  }

  return (
    <form
      class="wallet-form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(event.currentTarget);
      }}
    >
      <div class="field">
        <label for="wallet-key">{t('Extended public key, or descriptor')}</label>
        <textarea
          id="wallet-key"
          name="key"
          class="mono"
          rows={4}
          required
          // Keys are copied with spaces and line breaks in them.
          maxLength={2 * longestWalletText}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          defaultValue={given}
          aria-describedby="wallet-privacy"
        />
      </div>
      <details>
        <summary>{t('Kind of addresses, gap limit')}</summary>
        <div class="field">
          <label for="wallet-kind">{t('Kind of addresses, where the key does not say it')}</label>
          <select id="wallet-kind" name="script_type">
            <option value="">{t('as the key says')}</option>
            {scriptTypes.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="wallet-gap">{t('Unused addresses in a row after which the wallet ends')}</label>
          <input
            id="wallet-gap"
            name="gap_limit"
            type="number"
            min={1}
            max={gapLimit.max}
            defaultValue={String(gapLimit.default)}
          />
        </div>
      </details>
      <p class="row">
        <button type="submit" class="act">
          {t('Show this wallet')}
        </button>
      </p>
      <p role="status" class={problem === '' ? '' : 'trouble'}>
        {problem}
      </p>
    </form>
  );
}
