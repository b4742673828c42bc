import { getRawTransaction } from '@coinfront/sdk/chain/get-raw-transaction.ts';
import { getTransactionProof } from '@coinfront/sdk/chain/get-transaction-proof.ts';
import { useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';

/** The transaction's bytes, read when they are asked for. */
export function RawTransaction({ txid }: { txid: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const raw = useRead(
    isOpen ? `raw ${txid}` : undefined,
    (options) => getRawTransaction(client, { txid }, options),
    'nothing',
  );
  return (
    <Section title="Raw transaction">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Show the bytes</summary>
        {isOpen && (
          <Reading read={raw} what="the bytes">
            {({ raw_tx: hex }) => (
              <pre>
                {hex}
                <CopyButton text={hex} what="raw transaction" />
              </pre>
            )}
          </Reading>
        )}
      </details>
    </Section>
  );
}

/** The branch that leads from the transaction to its block's header. */
export function TransactionProof({ txid }: { txid: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const proof = useRead(
    isOpen ? `proof of ${txid}` : undefined,
    (options) => getTransactionProof(client, { txid }, options),
    'nothing',
  );
  return (
    <Section title="Merkle proof">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Show the merkle branch</summary>
        {isOpen && (
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
                  <Fact name="Index">
                    {data.position} of {data.tx_count}
                  </Fact>
                  {data.ambiguous && (
                    <Fact name="Warning">A 64-byte transaction: its Merkle branch proves nothing.</Fact>
                  )}
                </Facts>
                <pre>
                  {JSON.stringify(data, undefined, 2)}
                  <CopyButton text={JSON.stringify(data)} what="proof" />
                </pre>
              </>
            )}
          </Reading>
        )}
      </details>
    </Section>
  );
}
