import type { NameAvailabilityJson, NameJson } from '@coinfront/api/names.ts';
import { getName } from '@coinfront/sdk/names/get-name.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { client } from '../data/client.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { PartyLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { useCursor } from '../ui/pager.tsx';
import { ErrorDetail, isNotFound, Reading, Trouble, Turning } from '../ui/states.tsx';
import { NameOperations } from './name-operations.tsx';
import { NamePurchase } from './name-purchase.tsx';
import { NameRecords } from './name-records.tsx';
import { NameTimeline } from './name-timeline.tsx';

/** One name: whose it is, or what it takes to have it. */
export function NamePage({ parameter: name }: { parameter: string }) {
  const cursor = useCursor();
  const availability = useRead(
    `availability ${name}`,
    (options) => getNameAvailability(client, { name }, options),
    'tip',
  );
  const record = useListRead(
    `name ${name}`,
    cursor,
    (options) => getName(client, { name, cursor }, options),
    'tip',
  );
  if (availability.data === undefined && isNotFound(availability.error)) {
    return (
      <>
        <PageTitle kind="Name" title="Name not found" heading={<bdi class="foreign-title">{name}</bdi>} />
        <p class="prose">
          {t('This can be no name here.')} <ErrorDetail error={availability.error} />
        </p>
        <p class="prose">
          <a href="/names">{t('Look for another')}</a>.
        </p>
      </>
    );
  }
  return (
    <>
      <PageTitle
        kind="Name"
        title={t('Name {name}', { name })}
        heading={
          <>
            <bdi>{name}</bdi>
            <CopyButton text={name} what="name" />
          </>
        }
      />
      <Reading read={availability} what="the name">
        {(data) => (
          <>
            <NameFacts availability={data} record={record.data} />
            <NamePurchase availability={data} />
          </>
        )}
      </Reading>
      {record.data !== undefined && <NameRecords name={name} />}
      {record.data !== undefined && <NameTimeline name={name} />}
      {record.data !== undefined ? (
        <Section title="All operations">
          <Turning.Provider value={record.isTurning}>
            <NameOperations page={record.data.history} what="the history" showsName={false} />
          </Turning.Provider>
        </Section>
      ) : (
        record.error !== undefined && !isNotFound(record.error) && <Trouble error={record.error} />
      )}
    </>
  );
}

const states = {
  inactive: { tone: 'plain', text: 'the registry has not begun' },
  registered: { tone: 'done', text: 'registered' },
  grace: { tone: 'warning', text: 'expired, can only be renewed' },
  premium: { tone: 'moving', text: 'free, with a premium' },
  free: { tone: 'moving', text: 'free' },
} as const;

function NameFacts({
  availability,
  record,
}: {
  availability: NameAvailabilityJson;
  record: NameJson | undefined;
}) {
  const { tone, text } = states[availability.status];
  return (
    <Facts>
      <Fact name="State">
        <Mark tone={tone}>{t(text)}</Mark>
      </Fact>
      {record !== undefined && (
        <>
          <Fact name={record.resolves ? 'Stands for' : 'Last owner'}>
            <PartyLink party={record.owner} />
          </Fact>
          {!record.registered_by_owner && (
            <Fact name="Warning">{t('It was transferred to this address without its consent.')}</Fact>
          )}
          {record.resolves && record.is_reverse && (
            <Fact name="Reverse record">{t('The address is shown with this name.')}</Fact>
          )}
          <Fact name="Registered">
            <Moment at={record.registered} />
          </Fact>
          <Fact name={record.resolves ? 'Expires' : 'Expired'}>
            <Moment at={record.expiry} />
          </Fact>
          {!availability.available && (
            <Fact name="Renewable until">
              <Moment at={record.grace_ends} />
            </Fact>
          )}
        </>
      )}
      <Fact name={availability.available ? 'Price' : 'Renewal'}>
        <Amount value={availability.cost.per_period} /> <span class="quiet">{t('a period')}</span>
      </Fact>
      {availability.status === 'premium' && (
        <Fact name="Premium now">
          <Amount value={availability.cost.premium} />
        </Fact>
      )}
      {availability.available_from !== null && !availability.available && (
        <Fact name="Available from">
          <Moment at={availability.available_from} />
        </Fact>
      )}
    </Facts>
  );
}
