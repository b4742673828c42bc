import { clock } from '../data/clock.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { formatCount } from '../format/number.ts';
import { formatUtc } from '../format/time.ts';
import { hashedFile } from '../hashing/hashed-file.ts';
import { rich, t } from '../language/messages.ts';
import type { ProofDocument } from '../proof-verifier/check-proof.ts';
import { pathOf } from '../router.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { QrCode } from '../ui/qr-code.tsx';

/** The proof as one sheet of paper for somebody who was never here: all digits, and how to check them. On the screen it is not shown. */
export function ProofPaper({ document, script }: { document: ProofDocument; script: string }) {
  const { sha256, height, block_hash: blockHash, median_time: time, txid, vout, header } = document;
  const { name = '', genesis_hash: genesis = '' } = useStore(coin) ?? {};
  const file = useStore(hashedFile);
  const address = location.origin + pathOf('proof', sha256);
  return (
    <article class="paper">
      <h2 class="paper-title">{t('Proof of existence')}</h2>
      <div class="paper-head">
        <p>
          {t(
            'The SHA-256 digest below stands in block {height} of the chain of {name}, whose median time is {time}. A file that has this digest existed when that block was mined. The proof says nothing about who made the file.',
            { height: formatCount(height), name, time: formatUtc(time) },
          )}
        </p>
        <QrCode text={address} label={t('Address of this proof')} />
      </div>
      <Facts>
        <Fact name="Digest (SHA-256)">
          <strong class="mono">{sha256}</strong>
        </Fact>
        {file?.digest === sha256 && (
          <Fact name="File">
            {rich('{name}, {bytes} bytes, as named by who printed this', {
              name: <bdi class="foreign-text">{file.name}</bdi>,
              bytes: formatCount(file.bytes),
            })}
          </Fact>
        )}
        <Fact name="Block">
          {formatCount(height)} <span class="mono">{blockHash}</span>
        </Fact>
        <Fact name="Median time">{formatUtc(time)}</Fact>
        <Fact name="Transaction">
          {rich('{txid}, output {index}', { txid: <span class="mono">{txid}</span>, index: vout })}
        </Fact>
        <Fact name="Script of the output">
          <span class="mono">{script}</span>
        </Fact>
        <Fact name="Block header">
          <span class="mono">{header}</span>
        </Fact>
        <Fact name="Chain">
          {rich('{name}, genesis block {genesis}', { name, genesis: <span class="mono">{genesis}</span> })}
        </Fact>
        <Fact name="Page">{address}</Fact>
        <Fact name="Printed">
          <PrintedAt />
        </Fact>
      </Facts>
      <h3>{t('How to check it')}</h3>
      <ol>
        <li>
          {rich(
            'Compute the digest of the file with any program for SHA-256, such as {sha}, and compare all 64 digits with the digest above.',
            { sha: <code>sha256sum FILE</code> },
          )}
        </li>
        <li>
          {rich(
            'Ask any node of {name}: {getblockhash} gives the hash of the block above, which is then part of its best chain; {getblockheader} with that hash gives its time.',
            {
              name,
              getblockhash: <code>getblockhash {height}</code>,
              getblockheader: <code>getblockheader</code>,
            },
          )}
        </li>
        <li>
          {rich(
            '{command}, with the hash of the block behind it, shows the transaction in that block. The script of its output {index} is the one above, and ends with the digest.',
            { command: <code>getrawtransaction {txid} true</code>, index: vout },
          )}
        </li>
        <li>
          {t(
            'Without a node: open the address above. "Download the proof" there gives a file with the merkle branch from the transaction to the block header, which checks itself without a network.',
          )}
        </li>
      </ol>
    </article>
  );
}

function PrintedAt() {
  const nowMs = useStore(clock);
  return <>{formatUtc(new Date(nowMs).toISOString())}</>;
}
