import { fetchHeaders } from '@coinfront/sdk/verify/fetch-headers.ts';
import { findEasiestTarget, findWorkKind } from '@coinfront/sdk/verify/proof-of-work.ts';
import { type OtsContent, type OtsVerdict, readOts, verifyOts } from '@coinfront/sdk/verify/verify-ots.ts';
import { useMemo, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { formatCount } from '../format/number.ts';
import { FileDrop } from '../hashing/file-drop.tsx';
import { type MessageKey, t } from '../language/messages.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Loading, Trouble } from '../ui/states.tsx';
import { WhenExactly } from '../ui/when.tsx';

/** Blocks after that of the timestamp whose work is looked at. */
const FOLLOWING_HEADERS = 6;

const faults: Readonly<Record<string, MessageKey>> = {
  digest_differs: 'The file is not the one that the timestamp is about: its digest is another.',
  root_differs:
    'The block of this chain has another merkle root: the timestamp is not of this chain, or false.',
  work_missing: 'A header carries no proof of work.',
  headers_unlinked: 'The headers that the service gave do not follow one another.',
  header_malformed: 'A header that the service gave is malformed.',
};

const unchecked: Readonly<Record<string, MessageKey>> = {
  work: 'Proof of work of the headers: how this coin proves it was not said, or it is in another chain.',
  difficulty: 'Whether the targets of the headers are those that the rules of the coin ask for.',
  best_chain:
    'Whether the block is in the chain that the network follows. Its header is from this service: compare its hash with a source that you trust.',
};

/** What a file of OpenTimestamps says, and whether it holds for the file that it is about. */
export function OtsCheck({ name, bytes }: { name: string; bytes: Uint8Array }) {
  const genesis = useStore(coin)?.genesis_hash;
  const read = useMemo(() => (genesis === undefined ? undefined : readOts(bytes, genesis)), [bytes, genesis]);
  if (read === undefined || genesis === undefined) return <Loading what="the coin" />;
  if (!read.ok)
    return <Trouble error={t('{name} is no file of OpenTimestamps, or it is damaged.', { name })} />;
  return <Content content={read.value} bytes={bytes} genesis={genesis} />;
}

function Content({ content, bytes, genesis }: { content: OtsContent; bytes: Uint8Array; genesis: string }) {
  const [verdict, setVerdict] = useState<OtsVerdict | 'reading' | undefined>();
  const [error, setError] = useState<unknown>();
  const { blocks, pending, others, hash, digest } = content;
  // The earliest block says most.
  const height = Math.min(...blocks.map((block) => block.height));

  async function check(given: string): Promise<void> {
    setError(undefined);
    setVerdict('reading');
    try {
      const headers = await fetchHeaders(client, { afterHeight: height - 1, count: 1 });
      // Near the tip there are fewer.
      const later = await fetchHeaders(client, { afterHeight: height, count: FOLLOWING_HEADERS }).catch(
        () => [],
      );
      setVerdict(
        verifyOts(given, bytes, {
          genesisHash: genesis,
          height,
          headers: [...headers, ...later],
          work: findWorkKind(genesis),
          easiestTarget: findEasiestTarget(genesis),
        }),
      );
    } catch (caught) {
      setVerdict(undefined);
      setError(caught);
    }
  }

  return (
    <>
      <Facts>
        <Fact name="Digest">
          <Hash value={digest} what="digest" ends={12} /> <span class="quiet">{hash.toUpperCase()}</span>
        </Fact>
        {blocks.length > 0 && (
          <Fact name="Attested by block">
            <BlockLink height={height} />
          </Fact>
        )}
        {pending.length > 0 && (
          <Fact name="Promised by calendars">
            {pending.map((uri) => (
              <bdi key={uri} class="foreign-line">
                {uri}{' '}
              </bdi>
            ))}
          </Fact>
        )}
        {others > 0 && <Fact name="Attestations of other chains">{formatCount(others)}</Fact>}
      </Facts>
      {blocks.length === 0 ? (
        <p class="note">
          <Mark tone="plain">{t('Nothing to check here')}</Mark>{' '}
          {t('It has no attestation by a block of this chain.')}
        </p>
      ) : hash === 'sha256' ? (
        <FileDrop label={t('Choose the timestamped file')} onDigest={(file) => void check(file.digest)} />
      ) : (
        <DigestForm hash={hash} onDigest={(given) => void check(given)} />
      )}
      <div role="status">
        {verdict === 'reading' && <Loading what="the headers" />}
        {error !== undefined && <Trouble error={error} />}
        {verdict !== undefined && verdict !== 'reading' && <Verdict verdict={verdict} />}
      </div>
    </>
  );
}

function Verdict({ verdict }: { verdict: OtsVerdict }) {
  if (!verdict.ok) {
    const said = faults[verdict.code];
    return (
      <p class="note">
        <Mark tone="failed">{t('The timestamp does not hold')}</Mark>{' '}
        {said === undefined ? <span lang="en">{verdict.detail}</span> : t(said)}
      </p>
    );
  }
  const at = new Date(verdict.time * 1_000).toISOString();
  return (
    <>
      <p class="note">
        <Mark tone="done">{t('The timestamp holds')}</Mark> {t('The file existed when this block was made.')}
      </p>
      <Facts>
        <Fact name="Block">
          <BlockLink height={verdict.height} /> <Hash value={verdict.blockHash} what="block hash" ends={12} />
        </Fact>
        <Fact name="Time in the header">
          <WhenExactly at={at} />
        </Fact>
        <Fact name="Headers checked">{formatCount(verdict.headers)}</Fact>
        <Fact name="Not checked">
          {verdict.unchecked.map((each) => (
            <span key={each} class="line">
              {t(unchecked[each]!)}{' '}
            </span>
          ))}
        </Fact>
      </Facts>
    </>
  );
}

/** This page hashes with SHA-256 alone. */
function DigestForm({ hash, onDigest }: { hash: string; onDigest: (digest: string) => void }) {
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        onDigest(
          String(new FormData(event.currentTarget).get('ots-digest') ?? '')
            .trim()
            .toLowerCase(),
        );
      }}
    >
      <label for="ots-digest">
        {t('The {hash} digest of the timestamped file, which you have made yourself', {
          hash: hash.toUpperCase(),
        })}
      </label>
      <span class="row">
        <input
          id="ots-digest"
          name="ots-digest"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          maxLength={80}
        />
        <button type="submit" class="act second">
          {t('Check the digest')}
        </button>
      </span>
    </form>
  );
}
