import { health } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { TimesSwitch } from './times-switch.tsx';

/** The end of every page. */
export function Foot() {
  const version = useStore(health)?.version;
  return (
    <footer class="foot">
      <a href="/releases">Releases</a>
      <a href="/wallet-standard">Wallet standard</a>
      <a href="/developers">API</a>
      <TimesSwitch />
      <span>Keys never leave your wallet: nothing here asks for one.</span>
      {version !== undefined && <span>Coinfront {version}</span>}
    </footer>
  );
}
