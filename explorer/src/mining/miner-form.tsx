import { t } from '../language/messages.ts';
import { goTo, pathOf } from '../router.tsx';

/** The page of a miner. */
export function minerPath(address: string): string {
  return pathOf('pool/miner', address);
}

/** Leads to the page of a miner by its address. */
export function MinerForm() {
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        const given = String(new FormData(event.currentTarget).get('miner') ?? '').trim();
        if (given !== '') goTo(minerPath(given));
      }}
    >
      <label for="miner">{t('Your mining address, whole or as the list shows it')}</label>
      <span class="row">
        <input
          id="miner"
          name="miner"
          class="mono"
          maxLength={120}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
        <button type="submit" class="act">
          {t('Show my machines')}
        </button>
      </span>
    </form>
  );
}
