import type { NameEventJson } from '@coinfront/api/name-timeline.ts';
import { getNameTimeline } from '@coinfront/sdk/names/get-name-timeline.ts';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { type LifeState, layoutLife } from '../format/name-life.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { PartyLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { BlockOf } from '../ui/moment.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

const kinds: Readonly<
  Record<NameEventJson['kind'], { tone: 'done' | 'warning' | 'moving'; text: MessageKey }>
> = {
  registered: { tone: 'done', text: 'registered' },
  renewed: { tone: 'done', text: 'renewed' },
  transferred: { tone: 'done', text: 'transferred' },
  shown: { tone: 'done', text: 'shown for its address' },
  described: { tone: 'done', text: 'text records' },
  expired: { tone: 'warning', text: 'expires' },
  released: { tone: 'moving', text: 'free, with a premium' },
  lapsed: { tone: 'moving', text: 'free' },
};

const states: readonly (readonly [LifeState, MessageKey])[] = [
  ['registered', 'registered'],
  ['grace', 'in grace'],
  ['premium', 'free, with a premium'],
  ['free', 'free'],
];

/** The life of a name: a picture of its states, and what happened and will happen, newest first. */
export function NameTimeline({ name }: { name: string }) {
  const cursor = useCursor('timeline_cursor');
  const read = useListRead(
    `timeline of ${name}`,
    cursor,
    (options) => getNameTimeline(client, { name, limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section title="Timeline">
      <Reading read={read} what="the timeline">
        {(page) => (
          <>
            <LifePicture events={page.items} tipHeight={page.as_of.height} />
            <PagedTable
              page={page}
              what="the timeline"
              cursorName="timeline_cursor"
              empty="No valid operation among those that were searched; the next page searches on."
              columns={[
                'When',
                { heading: 'Block', class: 'number' },
                'Event',
                { heading: 'Owner', class: 'wide' },
                { heading: 'Transaction', class: 'wide' },
              ]}
              row={(event) => (
                <EventRow key={`${event.kind} ${event.txid ?? event.at.height}`} event={event} />
              )}
            />
          </>
        )}
      </Reading>
    </Section>
  );
}

function EventRow({ event }: { event: NameEventJson }) {
  const { kind, at, txid, owner, periods, paid, expiry } = event;
  const { tone, text } = kinds[kind];
  return (
    <tr>
      <td>
        <When at={at.time} />
      </td>
      <td class="number">
        <BlockOf at={at} />
      </td>
      <td>
        <Mark tone={at.estimated ? 'plain' : tone}>{t(text)}</Mark>{' '}
        {at.estimated && <span class="quiet">{t('if it is not renewed')}</span>}
        {kind !== 'transferred' && periods !== null && expiry !== null && (
          <span class="quiet wide">
            {formatCountOf(periods, 'period')}, {t('until block {height}', { height: formatCount(expiry) })}
            {paid !== null && (
              <>
                , <Amount value={paid} />
              </>
            )}
          </span>
        )}
      </td>
      <td class="wide">{owner === null ? <span class="quiet">–</span> : <PartyLink party={owner} />}</td>
      <td class="wide">{txid === null ? <span class="quiet">–</span> : <TxLink txid={txid} ends={6} />}</td>
    </tr>
  );
}

function LifePicture({ events, tipHeight }: { events: readonly NameEventJson[]; tipHeight: number }) {
  const life = layoutLife(events, tipHeight);
  if (life === undefined) return null;
  const percent = (part: number) => `${(part / life.width) * 100}%`;
  return (
    <figure class="life">
      <div role="img" aria-label={t('States of the name over time; the table below says the same in words.')}>
        {life.stretches.map(({ state, from, to, isAhead }) => (
          <i
            key={`${state} ${from}`}
            class={isAhead ? `${state} ahead` : state}
            style={{ left: percent(from), width: percent(to - from) }}
            title={textOf(state)}
          />
        ))}
        {life.marks.map(({ event, at }) => (
          <b
            key={event.txid}
            style={{ left: percent(at) }}
            title={`${t(kinds[event.kind].text)}, ${formatCount(event.at.height)}`}
          />
        ))}
        {life.now !== undefined && <s style={{ left: percent(life.now) }} title={t('now')} />}
      </div>
      <figcaption class="quiet">
        {states.map(([state]) => (
          <span key={state}>
            <i class={state} /> {textOf(state)}
          </span>
        ))}
        <span>
          <s /> {t('now')}
        </span>
      </figcaption>
    </figure>
  );
}

function textOf(state: LifeState) {
  return t(states.find(([each]) => each === state)![1]);
}
