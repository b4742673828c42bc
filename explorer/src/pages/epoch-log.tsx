import type { EpochJson } from '@coinfront/api/registry.ts';
import { parseNote } from '@coinfront/protocol/signed-log/note.ts';
import { getLogCheckpoint } from '@coinfront/sdk/nodes/get-log-checkpoint.ts';
import { lookUpProof } from '@coinfront/sdk/proofs/look-up-proof.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { pathOf } from '../router.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

/** Where the chain has the checkpoint of a closed epoch. */
export function EpochAnchor({ epoch }: { epoch: EpochJson }) {
  const digest = epoch.anchor?.digest;
  const proof = useRead(
    digest && `anchor ${digest}`,
    (options) => lookUpProof(client, { sha256: digest! }, options),
    'tip',
  );
  if (epoch.summary === null) return <span class="quiet">{t('when it is closed')}</span>;
  if (digest === undefined) return <span class="quiet">{t('not anchored')}</span>;
  const primary = proof.data?.primary;
  return (
    <>
      {primary ? (
        <>
          <BlockLink height={primary.height} /> <TxLink txid={primary.txid} ends={5} />{' '}
        </>
      ) : (
        <span class="quiet">{t('not in a block yet')} </span>
      )}
      <a href={pathOf('proof', digest)}>{t('proof')}</a>
    </>
  );
}

/** The log of closed epochs as its key signed it last, and who has cosigned that. Nothing is shown while there is no log. */
export function LogSection() {
  const checkpoint = useRead('log checkpoint', (options) => getLogCheckpoint(client, options), 'time');
  if (checkpoint.data === undefined && isNotFound(checkpoint.error)) return null;
  return (
    <Section title="Signed log" aside={t('of closed epochs; it only grows')}>
      <Reading read={checkpoint} what="the log">
        {(note) => <LogFacts note={note} />}
      </Reading>
    </Section>
  );
}

function LogFacts({ note }: { note: string }) {
  const parsed = parseNote(note);
  if (!parsed.ok) return <p>{t('The service shows no checkpoint that can be read.')}</p>;
  const [, size = '', root = ''] = parsed.value.text.split('\n');
  const cosigners = parsed.value.signatures.flatMap(({ name, signature }) => {
    const key = /^witness\/([0-9a-f]{64})$/.exec(name)?.[1];
    return key === undefined || signature.length < 8 ? [] : [{ key, at: timeOf(signature) }];
  });
  return (
    <>
      <Facts layout="two">
        <Fact name="Entries">{formatCount(Number(size))}</Fact>
        <Fact name="Root">
          <Hash value={root} what="root of the log" />
        </Fact>
        {cosigners.map(({ key, at }) => (
          <Fact key={key} name="Cosigned by">
            <Hash value={key} what="key of a witness" ends={5} /> <When at={at} />
          </Fact>
        ))}
        {cosigners.length === 0 && <Fact name="Cosigned by">{t('nobody yet')}</Fact>}
      </Facts>
      <p class="quiet">
        {rich(
          'This page shows what the service says. {command} checks it, and remembers it for the next time.',
          {
            command: <code>coin node log</code>,
          },
        )}
      </p>
    </>
  );
}

/** A cosignature begins with its time: Unix seconds, 8 bytes. */
function timeOf(signature: Uint8Array): string {
  const seconds = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  return new Date(Math.min(seconds, 8e12) * 1000).toISOString();
}
