import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import { getRawTransaction } from '@coinfront/sdk/chain/get-raw-transaction.ts';
import { getTransactionProof } from '@coinfront/sdk/chain/get-transaction-proof.ts';
import type { ComponentChildren } from 'preact';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import {
  findSpentOutputs,
  listPrevious,
  type SpentOutput,
  writeUnsignedPsbt,
} from '../format/unsigned-psbt.ts';
import { asIs, t, type Words } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Unfold } from '../ui/unfold.tsx';

/** The transaction to take along: its bytes, what is shown of it, and a PSBT where enough is known; made when asked for. */
export function TxCopies({ tx }: { tx: TxDetailJson }) {
  const decimals = useStore(coin)?.decimals ?? 8;
  const spent = findSpentOutputs(tx, decimals);
  return (
    <Section title="Raw, JSON and PSBT">
      <Unfold summary="Raw transaction">
        <RawTx txid={tx.txid}>{(hex) => <Copied text={hex} what="raw transaction" />}</RawTx>
      </Unfold>
      <Unfold summary={asIs('JSON')}>
        <Copied text={JSON.stringify(tx, undefined, 2)} what={asIs('JSON')} />
      </Unfold>
      {spent !== undefined && (
        <Unfold summary="PSBT without signatures">
          <UnsignedPsbt txid={tx.txid} spent={spent} />
        </Unfold>
      )}
    </Section>
  );
}

function UnsignedPsbt({ txid, spent }: { txid: string; spent: readonly SpentOutput[] }) {
  const psbt = useRead(
    `psbt of ${txid}`,
    async (options) => {
      const txids = listPrevious(spent);
      const read = async (each: string) => (await getRawTransaction(client, { txid: each }, options)).raw_tx;
      const [hex, ...previous] = await Promise.all([read(txid), ...txids.map(read)]);
      return writeUnsignedPsbt(hex, spent, new Map(txids.map((each, i) => [each, previous[i]!])));
    },
    'nothing',
  );
  return (
    <Reading read={psbt} what="the bytes">
      {(text) => <Copied text={text} what={asIs('PSBT')} />}
    </Reading>
  );
}

function Copied({ text, what }: { text: string; what: Words }) {
  return (
    <>
      <p>
        {t('Copy')} <CopyButton text={text} what={what} />
      </p>
      <pre>{text}</pre>
    </>
  );
}

function RawTx({ txid, children }: { txid: string; children: (hex: string) => ComponentChildren }) {
  const raw = useRead(`raw ${txid}`, (options) => getRawTransaction(client, { txid }, options), 'nothing');
  return (
    <Reading read={raw} what="the bytes">
      {({ raw_tx: hex }) => children(hex)}
    </Reading>
  );
}

/** The branch that leads from the transaction to its block's header. */
export function TransactionProof({ txid }: { txid: string }) {
  return (
    <Section title="Merkle proof">
      <Unfold summary="Show the merkle branch">
        <Branch txid={txid} />
      </Unfold>
    </Section>
  );
}

function Branch({ txid }: { txid: string }) {
  const proof = useRead(
    `proof of ${txid}`,
    (options) => getTransactionProof(client, { txid }, options),
    'nothing',
  );
  return (
    <Reading read={proof} what="the proof">
      {(data) => (
        <>
          <Facts>
            <Fact name="Block">
              <BlockLink height={data.block_height} />
            </Fact>
            <Fact name="Merkle root">
              <Hash value={data.merkle_root} what="merkle root" />
            </Fact>
            <Fact name="Index">{t('{count} of {all}', { count: data.position, all: data.tx_count })}</Fact>
            {data.ambiguous && (
              <Fact name="Warning">{t('A 64-byte transaction: its Merkle branch proves nothing.')}</Fact>
            )}
          </Facts>
          <pre>
            {JSON.stringify(data, undefined, 2)}
            <CopyButton text={JSON.stringify(data)} what="proof" />
          </pre>
        </>
      )}
    </Reading>
  );
}
