import { health } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { t } from '../language/messages.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { TimesSwitch } from './times-switch.tsx';

/** The end of every page. */
export function Foot() {
  const version = useStore(health)?.version;
  return (
    <footer class="foot">
      <a href="/releases">{t('Releases')}</a>
      <a href="/wallet-standard">{t('Wallet standard')}</a>
      <a href="/developers">API</a>
      <span class="times">
        <TimesSwitch />
        <LanguageSwitch />
      </span>
      <span>{t('Keys never leave your wallet: nothing here asks for one.')}</span>
      {version !== undefined && <span>Coinfront {version}</span>}
    </footer>
  );
}
