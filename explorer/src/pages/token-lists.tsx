import type { TokenEventJson } from '@coinfront/api/tokens.ts';
import { listTokenEvents } from '@coinfront/sdk/tokens/list-token-events.ts';
import { listTokenHolders } from '@coinfront/sdk/tokens/list-token-holders.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { place, withQuery } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { BlockLink, PartyLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { Pager, useCursor } from '../ui/pager.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';

const PPM = 1_000_000;

/** Who has it, most first. */
export function TokenHolders({ tokenId }: { tokenId: string }) {
  const cursor = useCursor('holder_cursor');
  const holders = useRead(
    `holders ${tokenId} ${cursor}`,
    (options) => listTokenHolders(client, { token_id: tokenId, limit: 25, cursor }, options),
    'tip',
  );
  return (
    <Section title="Holders" aside={holders.data && formatCount(holders.data.holders)}>
      <Reading read={holders} what="holders">
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <Empty>Nobody holds any of it.</Empty>
          ) : (
            <>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Holder</th>
                    <th scope="col" class="wide">
                      Share
                    </th>
                    <th scope="col" class="number">
                      Per cent
                    </th>
                    <th scope="col" class="number">
                      Balance
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((holder) => (
                    <tr key={holder.script}>
                      <td>
                        <PartyLink party={holder} />
                      </td>
                      <td class="wide">
                        <Bar
                          share={holder.share_ppm / PPM}
                          label={`${((holder.share_ppm / PPM) * 100).toFixed(2)} %`}
                        />
                      </td>
                      <td class="number">{((holder.share_ppm / PPM) * 100).toFixed(2)}</td>
                      <td class="number">
                        <Amount value={holder.balance} unit="" />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Pager nextCursor={next} name="holder_cursor" what="holders" />
            </>
          )
        }
      </Reading>
    </Section>
  );
}

/** What happened to it, newest first. */
export function TokenEvents({ tokenId }: { tokenId: string }) {
  const here = useStore(place);
  const showsInvalid = here.query.get('include') === 'invalid';
  const cursor = useCursor('event_cursor');
  const events = useRead(
    `events ${tokenId} ${showsInvalid} ${cursor}`,
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
        <a href={withQuery(here, 'include', showsInvalid ? undefined : 'invalid')}>
          {showsInvalid ? 'Only valid ones' : 'Invalid ones too'}
        </a>
      }
    >
      <Reading read={events} what="events">
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <Empty>Nothing has happened to it.</Empty>
          ) : (
            <>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Age</th>
                    <th scope="col">Event</th>
                    <th scope="col" class="wide">
                      By
                    </th>
                    <th scope="col" class="wide">
                      Transaction
                    </th>
                    <th scope="col" class="number">
                      Block
                    </th>
                    <th scope="col" class="number">
                      Amount
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((event) => (
                    <EventRow key={`${event.height}:${event.position}`} event={event} />
                  ))}
                </tbody>
              </table>
              <Pager nextCursor={next} name="event_cursor" what="events" />
            </>
          )
        }
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
          <Mark tone="done">{event.kind ?? 'unknown'}</Mark>
        ) : (
          <>
            <Mark tone="failed">{`invalid ${event.kind ?? ''}`}</Mark>{' '}
            <span class="quiet">{event.reason}</span>
          </>
        )}
        {event.closes_minting && <span class="quiet"> closes minting</span>}
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
