import { type GetAddressResult, getAddress } from '@coinfront/sdk/chain/get-address.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { AddressChart } from './address-chart.tsx';
import { AddressCounterparties } from './address-counterparties.tsx';
import { AddressHistory } from './address-history.tsx';
import { AddressNames, AddressPayouts, AddressShownAs, AddressTokens } from './address-holdings.tsx';
import { AddressUtxos } from './address-utxos.tsx';
import { BalanceFacts } from './balance-facts.tsx';

/** One address: what it has, what it did, what else it holds. */
export function AddressPage({ parameter: address }: { parameter: string }) {
  const summary = useRead(
    `address ${address}`,
    (options) => getAddress(client, { address }, options),
    'content',
  );
  if (summary.data === undefined && isNotFound(summary.error)) {
    return (
      <Missing kind="Address" value={address}>
        <p>
          {t('It is no address of {name}: a character may be missing, or it is of another coin.', {
            name: coin.get()?.name ?? t('this coin'),
          })}
        </p>
      </Missing>
    );
  }
  return (
    <Reading read={summary} what="the address">
      {(data) => <AddressView summary={data} />}
    </Reading>
  );
}

function AddressView({ summary }: { summary: GetAddressResult }) {
  const { address, confirmed, mempool } = summary;
  const scheme = coin.get()?.uri_scheme ?? 'coin';
  return (
    <>
      <PageTitle
        kind="Address"
        title={t('Address {address}', { address: shortenMiddle(address) })}
        heading={
          <>
            <bdi class="foreign-text mono">{address}</bdi>
            <CopyButton text={address} what="address" />
          </>
        }
      />
      <div class="columns wide-left">
        <Facts>
          <AddressShownAs address={address} />
          <BalanceFacts summary={summary} />
          <Fact name="Transactions">
            {formatCount(confirmed.tx_count)}
            {mempool.tx_count > 0 && (
              <span class="quiet"> {t('and {count} waiting', { count: formatCount(mempool.tx_count) })}</span>
            )}
          </Fact>
          <Fact name="Kind">{summary.script_type}</Fact>
          <Fact name="Script">
            <Hash value={summary.script} what="script" ends={14} />
          </Fact>
          <AddressNames address={address} />
        </Facts>
        <QrCode text={`${scheme}:${address}`} label={t('QR code of this address')} />
      </div>
      <AddressTokens address={address} />
      <AddressPayouts address={address} />
      <AddressChart address={address} />
      <AddressHistory address={address} />
      <AddressCounterparties address={address} />
      <AddressUtxos address={address} />
    </>
  );
}
