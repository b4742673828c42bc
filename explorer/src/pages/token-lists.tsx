import type { TokenEventJson } from '@coinfront/api/tokens.ts';
import { listTokenEvents } from '@coinfront/sdk/tokens/list-token-events.ts';
import { listTokenHolders } from '@coinfront/sdk/tokens/list-token-holders.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCount, formatDecimal } from '../format/number.ts';
import { formatPpm } from '../format/verdict.ts';
import { sayCode, t } from '../language/messages.ts';
import { place, withQuery } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { BlockLink, PartyLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

const PPM = 1_000_000;

/** Who has it, most first. */
export function TokenHolders({ tokenId }: { tokenId: string }) {
  const cursor = useCursor('holder_cursor');
  const holders = useListRead(
    `holders ${tokenId}`,
    cursor,
    (options) => listTokenHolders(client, { token_id: tokenId, limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section title="Holders" aside={holders.data && formatCount(holders.data.holders)}>
      <Reading read={holders} what="holders">
        {(page) => (
          <PagedTable
            page={page}
            what="holders"
            cursorName="holder_cursor"
            empty="Nobody holds any of it."
            columns={[
              'Holder',
              { heading: 'Share', class: 'wide' },
              { heading: 'Percent', class: 'number' },
              { heading: 'Balance', class: 'number' },
            ]}
            row={(holder) => (
              <tr key={holder.script}>
                <td>
                  <PartyLink party={holder} />
                </td>
                <td class="wide">
                  <Bar share={holder.share_ppm / PPM} label={formatPpm(holder.share_ppm)} />
                </td>
                <td class="number">{formatDecimal(((holder.share_ppm / PPM) * 100).toFixed(2))}</td>
                <td class="number">
                  <Amount value={holder.balance} unit="" />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

/** What happened to it, newest first. */
export function TokenEvents({ tokenId }: { tokenId: string }) {
  const here = useStore(place);
  const showsInvalid = here.query.get('include') === 'invalid';
  const cursor = useCursor('event_cursor');
  const events = useListRead(
    `events ${tokenId} ${showsInvalid}`,
    cursor,
    (options) =>
      listTokenEvents(
        client,
        { token_id: tokenId, limit: 25, cursor, include: showsInvalid ? 'invalid' : undefined },
        options,
      ),
    'tip',
  );
  return (
    <Section
      title="Events"
      aside={
        <a
          href={withQuery(here, {
            include: showsInvalid ? undefined : 'invalid',
            event_cursor: undefined,
            event_page: undefined,
          })}
        >
          {showsInvalid ? t('Hide invalid') : t('Show invalid')}
        </a>
      }
    >
      <Reading read={events} what="events">
        {(page) => (
          <PagedTable
            page={page}
            what="events"
            cursorName="event_cursor"
            empty="Nothing has happened to it."
            columns={[
              'Age',
              'Event',
              { heading: 'By', class: 'wide' },
              { heading: 'Transaction', class: 'wide' },
              { heading: 'Block', class: 'number' },
              { heading: 'Amount', class: 'number' },
            ]}
            row={(event) => <EventRow key={`${event.height}:${event.position}`} event={event} />}
          />
        )}
      </Reading>
    </Section>
  );
}

function EventRow({ event }: { event: TokenEventJson }) {
  return (
    <tr>
      <td>
        <When at={event.time} />
      </td>
      <td>
        {event.valid ? (
          <Mark tone="done">{event.kind === null ? t('unknown') : sayCode(event.kind)}</Mark>
        ) : (
          <>
            <Mark tone="failed">{t('invalid {kind}', { kind: sayCode(event.kind) })}</Mark>{' '}
            <span class="quiet">{sayCode(event.reason)}</span>
          </>
        )}
        {event.closes_minting && <span class="quiet"> {t('closes minting')}</span>}
      </td>
      <td class="wide">
        <PartyLink party={event.sender} />
      </td>
      <td class="wide">
        <TxLink txid={event.txid} ends={6} />
      </td>
      <td class="number">
        <BlockLink height={event.height} />
      </td>
      <td class="number">{event.amount === null ? '–' : <Amount value={event.amount} unit="" />}</td>
    </tr>
  );
}
