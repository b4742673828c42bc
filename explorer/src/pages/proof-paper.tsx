import { clock } from '../data/clock.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { formatCount } from '../format/number.ts';
import { formatUtc } from '../format/time.ts';
import { hashedFile } from '../hashing/hashed-file.ts';
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
      <h2 class="paper-title">Proof of existence</h2>
      <div class="paper-head">
        <p>
          The SHA-256 digest below stands in block {formatCount(height)} of the chain of {name}, whose median
          time is {formatUtc(time)}. A file that has this digest existed when that block was mined. The proof
          says nothing about who made the file.
        </p>
        <QrCode text={address} label="Address of this proof" />
      </div>
      <Facts>
        <Fact name="Digest (SHA-256)">
          <strong class="mono">{sha256}</strong>
        </Fact>
        {file?.digest === sha256 && (
          <Fact name="File">
            <bdi class="foreign-text">{file.name}</bdi>, {formatCount(file.bytes)} bytes, as named by who
            printed this
          </Fact>
        )}
        <Fact name="Block">
          {formatCount(height)} <span class="mono">{blockHash}</span>
        </Fact>
        <Fact name="Median time">{formatUtc(time)}</Fact>
        <Fact name="Transaction">
          <span class="mono">{txid}</span>, output {vout}
        </Fact>
        <Fact name="Script of the output">
          <span class="mono">{script}</span>
        </Fact>
        <Fact name="Block header">
          <span class="mono">{header}</span>
        </Fact>
        <Fact name="Chain">
          {name}, genesis block <span class="mono">{genesis}</span>
        </Fact>
        <Fact name="Page">{address}</Fact>
        <Fact name="Printed">
          <PrintedAt />
        </Fact>
      </Facts>
      <h3>How to check it</h3>
      <ol>
        <li>
          Compute the digest of the file with any program for SHA-256, such as <code>sha256sum FILE</code>,
          and compare all 64 digits with the digest above.
        </li>
        <li>
          Ask any node of {name}: <code>getblockhash {height}</code> gives the hash of the block above, which
          is then part of its best chain; <code>getblockheader</code> with that hash gives its time.
        </li>
        <li>
          <code>getrawtransaction {txid} true</code>, with the hash of the block behind it, shows the
          transaction in that block. The script of its output {vout} is the one above, and ends with the
          digest.
        </li>
        <li>
          Without a node: open the address above. "Download the proof" there gives a file with the merkle
          branch from the transaction to the block header, which checks itself without a network.
        </li>
      </ol>
    </article>
  );
}

function PrintedAt() {
  const nowMs = useStore(clock);
  return <>{formatUtc(new Date(nowMs).toISOString())}</>;
}
