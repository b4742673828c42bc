import type { ListedNameJson, NameStateJson } from '@coinfront/api/names.ts';
import { listExpiringNames } from '@coinfront/sdk/names/list-expiring-names.ts';
import { listNames } from '@coinfront/sdk/names/list-names.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCountOf } from '../format/number.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { goTo, type Place, place, withQuery } from '../router.tsx';
import { NameLink, PartyLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { BlockOf } from '../ui/moment.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

const LISTED = 25;
const EXPIRING = 10;

const states: Readonly<Record<NameStateJson, { tone: 'done' | 'warning' | 'moving'; text: MessageKey }>> = {
  registered: { tone: 'done', text: 'registered' },
  grace: { tone: 'warning', text: 'in grace' },
  premium: { tone: 'moving', text: 'free, with a premium' },
  lapsed: { tone: 'moving', text: 'free' },
};

const nameStates = Object.keys(states) as NameStateJson[];

/** Names that cease to resolve soon, the first first. */
export function ExpiringNames() {
  const cursor = useCursor('expiring_cursor');
  const read = useListRead(
    'expiring names',
    cursor,
    (options) => listExpiringNames(client, { limit: EXPIRING, cursor }, options),
    'tip',
  );
  return (
    <Section title="Expiring soon">
      <Reading read={read} what="names">
        {(page) => (
          <PagedTable
            page={page}
            what="names"
            cursorName="expiring_cursor"
            empty={t('No name expires within {blocks}.', {
              blocks: formatCountOf(page.last_height - page.as_of.height, 'block'),
            })}
            columns={[
              'Name',
              { heading: 'Owner', class: 'wide' },
              'Expires',
              { heading: 'Block', class: 'number' },
            ]}
            row={(name) => (
              <tr key={name.name}>
                <td>
                  <NameLink name={name.name} />
                </td>
                <td class="wide">
                  <PartyLink party={name.owner} />
                </td>
                <td>
                  <When at={name.ends_at.time} />
                </td>
                <td class="number">
                  <BlockOf at={name.ends_at} />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

/** All names, those that begin with something, or those in a state; what is asked for stands in the page's own address. */
export function AllNames() {
  const here = useStore(place);
  const { prefix, state } = readFilter(here.query);
  const cursor = useCursor('name_cursor');
  const read = useListRead(
    `names ${prefix} ${state}`,
    cursor,
    (options) => listNames(client, { prefix, state, limit: LISTED, cursor }, options),
    'tip',
  );
  const isFiltered = prefix !== undefined || state !== undefined;
  return (
    <Section title="All names">
      <FilterBar here={here} prefix={prefix} state={state} />
      <Reading read={read} what="names">
        {(page) => (
          <PagedTable
            page={page}
            what="names"
            cursorName="name_cursor"
            empty={
              page.next_cursor !== null
                ? 'None among the names that were searched; the next page searches on.'
                : isFiltered
                  ? 'No matching name.'
                  : 'Nobody has registered a name yet.'
            }
            columns={[
              'Name',
              'State',
              { heading: 'Owner', class: 'wide' },
              { heading: 'Expiry', class: 'number wide' },
            ]}
            row={(name) => <Row key={name.name} name={name} />}
          />
        )}
      </Reading>
    </Section>
  );
}

function Row({ name: { name, state, owner, expiry } }: { name: ListedNameJson }) {
  const { tone, text } = states[state];
  return (
    <tr>
      <td>
        <NameLink name={name} />
      </td>
      <td>
        <Mark tone={tone}>{t(text)}</Mark>
      </td>
      <td class="wide">
        <PartyLink party={owner} />
      </td>
      <td class="number wide">
        <BlockOf at={expiry} />
      </td>
    </tr>
  );
}

function FilterBar({ here, prefix, state }: { here: Place } & Filter) {
  const change = (changed: Readonly<Record<string, string | undefined>>): string =>
    withQuery(here, { name_cursor: undefined, name_page: undefined, ...changed });
  const tab = (text: MessageKey, value: NameStateJson | undefined) => (
    <a key={text} href={change({ state: value })} aria-current={state === value ? 'true' : undefined}>
      {t(text)}
    </a>
  );
  return (
    <div class="filters">
      <nav class="tabs" aria-label={t('State')}>
        {tab('All', undefined)}
        {nameStates.map((each) => tab(states[each].text, each))}
      </nav>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get('prefix') ?? '');
          goTo(change({ prefix: given.trim().toLowerCase() || undefined }));
        }}
      >
        <label for="prefix">{t('Begins with')}</label>
        <input
          id="prefix"
          name="prefix"
          maxLength={49}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          defaultValue={prefix ?? ''}
        />
        <button type="submit" class="act second">
          {t('Find')}
        </button>
      </form>
    </div>
  );
}

type Filter = { prefix: string | undefined; state: NameStateJson | undefined };

/** What is no filter is left out. */
function readFilter(query: URLSearchParams): Filter {
  const prefix = query.get('prefix') ?? '';
  return {
    prefix: /^[a-z0-9.-]{1,49}$/.test(prefix) ? prefix : undefined,
    state: nameStates.find((each) => each === query.get('state')),
  };
}
