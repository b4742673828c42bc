import { siblingsOnLeft } from '@coinfront/protocol/signed-log/merkle-tree.ts';
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
  const { sha256, height, block_hash: blockHash, median_time: time, txid, vout, header, leaf } = document;
  const { name = '', genesis_hash: genesis = '' } = useStore(coin) ?? {};
  const file = useStore(hashedFile);
  const address = location.origin + pathOf('proof', sha256);
  return (
    <article class={leaf === undefined ? 'paper' : 'paper tree'}>
      <h2 class="paper-title">{t('Proof of existence')}</h2>
      <div class="paper-head">
        <p>
          {t(
            leaf === undefined
              ? 'The SHA-256 digest below stands in block {height} of the chain of {name}, whose median time is {time}. A file that has this digest existed when that block was mined. The proof says nothing about who made the file.'
              : 'The SHA-256 digest below is in a tree of digests, whose root stands in block {height} of the chain of {name}; the median time of that block is {time}. A file that has this digest existed when that block was mined. The proof says nothing about who made the file.',
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
        {leaf !== undefined && <LeafFacts leaf={leaf} />}
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
        {leaf !== undefined && (
          <li>
            {rich(
              'Hash the byte {zero} and the digest with SHA-256. Then for each sibling, from the first on, hash the byte {one} and the two hashes, the left one first. The last hash is the root of the tree.',
              { zero: <code>00</code>, one: <code>01</code> },
            )}
          </li>
        )}
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
            leaf === undefined
              ? '{command}, with the hash of the block behind it, shows the transaction in that block. The script of its output {index} is the one above, and ends with the digest.'
              : '{command}, with the hash of the block behind it, shows the transaction in that block. The script of its output {index} is the one above, and ends with the root of the tree.',
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

/** Where the digest stands in the tree, and how one comes from there to its root. */
function LeafFacts({ leaf: { index, size, path, root } }: { leaf: NonNullable<ProofDocument['leaf']> }) {
  const onLeft = siblingsOnLeft(index, size);
  return (
    <>
      <Fact name="Place in the tree">
        {t('leaf {index} of {size}, counted from 0', { index: formatCount(index), size: formatCount(size) })}
      </Fact>
      {path.length > 0 && (
        <Fact name="Siblings on the way to the root">
          <ol>
            {path.map((hash, level) => (
              <li key={hash}>
                <span class="mono">{hash}</span> {onLeft[level] ? t('on the left') : t('on the right')}
              </li>
            ))}
          </ol>
        </Fact>
      )}
      <Fact name="Root of the tree">
        <strong class="mono">{root}</strong>
      </Fact>
    </>
  );
}

function PrintedAt() {
  const nowMs = useStore(clock);
  return <>{formatUtc(new Date(nowMs).toISOString())}</>;
}
