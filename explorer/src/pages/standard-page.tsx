import type { WalletStandard } from '@coinfront/protocol/wallet-standard.ts';
import { getWalletStandard } from '@coinfront/sdk/chain/get-wallet-standard.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { asIs, rich, t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink } from '../ui/links.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** How wallets of the coin are made, for people who make them. */
export function StandardPage() {
  const standard = useRead(
    'wallet standard',
    async (options) => (await getWalletStandard(client, options)) as WalletStandard,
    'nothing',
  );
  return (
    <>
      <PageTitle
        title="Wallet standard COIN-HD-1"
        lead={rich(
          'From the words to addresses, signatures and secrets, so that a wallet can be restored by any other. Programs read it at {link}.',
          { link: <a href="/api/v1/wallet-standard">/api/v1/wallet-standard</a> },
        )}
      />
      <Reading read={standard} what="the standard">
        {(data) => <StandardView standard={data} />}
      </Reading>
    </>
  );
}

function StandardView({ standard }: { standard: WalletStandard }) {
  const { test_vectors: vectors } = standard;
  return (
    <>
      <Facts layout="two">
        <Fact name="Words">
          {t('{standard}, {counts} words', {
            standard: standard.mnemonic.standard,
            counts: standard.mnemonic.word_counts.join(' / '),
          })}
        </Fact>
        <Fact name="Keys">{standard.key_derivation}</Fact>
        <Fact name="Coin type">{standard.coin.coin_type}</Fact>
        <Fact name="Gap limit">{t('{count} unused addresses', { count: standard.gap_limit })}</Fact>
        <Fact name="Payment links">
          <code>{standard.payment_uri.template}</code>
        </Fact>
        <Fact name="Genesis">
          <Hash value={standard.coin.genesis_hash} what="genesis hash" />
        </Fact>
      </Facts>
      <div class="columns">
        <Section title="Accounts">
          <Table columns={['Script', 'Path', 'Standard']}>
            {standard.accounts.map((account) => (
              <tr key={account.path}>
                <td>
                  {account.script}
                  {account.is_default && <span class="quiet"> {t('default')}</span>}
                </td>
                <td class="mono">{account.path}</td>
                <td>{account.standard}</td>
              </tr>
            ))}
          </Table>
        </Section>
        <Section title="Signed messages">
          <Facts>
            {standard.message_signing.map(({ script, standard: by, magic }) => (
              <Fact key={script} name={asIs(script)}>
                {by} {magic !== undefined && <span class="quiet">{JSON.stringify(magic)}</span>}
              </Fact>
            ))}
          </Facts>
        </Section>
      </div>
      <Section title="Other key branches">
        <Facts>
          {standard.secret_branches.map((branch) => (
            <Fact key={branch.path} name={asIs(branch.name)}>
              <code>{branch.path}</code>{' '}
              <span class="quiet" lang="en">
                {branch.derivation}
              </span>
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section title="Test vectors">
        <p lang="en">{vectors.note}</p>
        <pre>
          {vectors.mnemonic}
          <CopyButton text={vectors.mnemonic} what="test words" />
        </pre>
        <Table columns={['Path', { heading: 'Public key', class: 'wide' }, 'Address']}>
          {vectors.addresses.map((vector) => (
            <tr key={`${vector.script} ${vector.path}`}>
              <td class="mono">{vector.path}</td>
              <td class="wide">
                <Hash value={vector.public_key} what="public key" />
              </td>
              <td>
                <AddressLink address={vector.address} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  );
}
