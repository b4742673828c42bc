import type { NameRecordsJson } from '@coinfront/api/name-records.ts';
import { getNameRecords } from '@coinfront/sdk/names/get-name-records.ts';
import { verifyNameRecords } from '@coinfront/sdk/verify/verify-name-records.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { t } from '../language/messages.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { Section } from '../ui/page.tsx';

/** What the owner of a name says with it, as text and nothing but text, once it was checked by the hash of the chain. */
export function NameRecords({ name }: { name: string }) {
  const { data } = useRead(
    `records of ${name}`,
    (options) => getNameRecords(client, { name }, options),
    'tip',
  );
  if (data === undefined || data.hash === null) return null;
  return (
    <Section title="Text records" aside={t('set by the owner; nobody has looked at them')}>
      <Records answer={data} />
      <Facts>
        <Fact name="Hash on the chain">
          <Hash value={data.hash} what="hash" />
        </Fact>
      </Facts>
    </Section>
  );
}

function Records({ answer }: { answer: NameRecordsJson }) {
  if (answer.state === 'unknown')
    return <p class="note">{t('This service does not have the text with this hash. Another may.')}</p>;
  const records = verifyNameRecords(answer);
  if (records === undefined)
    return <p class="note">{t('What the service sent is not the text with this hash, and is not shown.')}</p>;
  return (
    <dl class="facts">
      {Object.entries(records).map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <bdi class="foreign-text">{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
