import { readWallet } from '@coinfront/sdk/chain/read-wallet.ts';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { t } from '../language/messages.ts';
import { decodePart, place } from '../router.tsx';
import { PageTitle } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { takeHandedKey } from '../wallet/handed-key.ts';
import { useAsked } from '../wallet/use-asked.ts';
import { WalletForm, type WantedWallet } from '../wallet/wallet-form.tsx';
import { WalletHistory } from '../wallet/wallet-history.tsx';
import { WalletView } from '../wallet/wallet-view.tsx';

/** A wallet by its public key, which is kept in this page and nowhere else. */
export function WalletPage() {
  const here = useStore(place);
  const [given, setGiven] = useState(takeGiven);
  const [wanted, setWanted] = useState<WantedWallet | undefined>();
  useEffect(() => {
    const key = takeGiven();
    if (key === '') return;
    setGiven(key);
    setWanted(undefined);
  }, [here]);
  const summary = useAsked(wanted, (params, options) => readWallet(client, params, options));
  return (
    <>
      <PageTitle
        kind="Wallet"
        title="Wallet by its public key"
        lead={t(
          'Balance, next addresses and history of a wallet whose keys stay where they are. Never enter a private key or a mnemonic: only its public key, xpub, zpub and the like, or its descriptor.',
        )}
      />
      <p class="alarm" id="wallet-privacy">
        {t(
          'Whoever runs this service learns from a public key that its addresses belong together, those of the future as well, and sees which network asks. It is sent in the body of a request when you press the button, never in an address, and is neither kept nor logged. To tell nobody, run a service of your own.',
        )}
      </p>
      <WalletForm key={given} given={given} onWanted={setWanted} />
      {wanted !== undefined && (
        <>
          <Reading read={summary} what="the wallet">
            {(data) => <WalletView summary={data} />}
          </Reading>
          {summary.data !== undefined && <WalletHistory key={JSON.stringify(wanted)} wanted={wanted} />}
        </>
      )}
    </>
  );
}

/** A key that was searched for, or that stands behind `#` of the address, from where it is taken away. */
function takeGiven(): string {
  const inAddress = location.hash.slice(1);
  if (inAddress !== '') history.replaceState(history.state, '', location.pathname);
  return takeHandedKey() ?? decodePart(inAddress) ?? '';
}
