import type { NodeUptimeJson } from '@coinfront/api/registry.ts';
import { getNodeUptime } from '@coinfront/sdk/nodes/get-node-uptime.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { formatPpm } from '../format/verdict.ts';
import { t } from '../language/messages.ts';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

type Day = NodeUptimeJson['days'][number];

const ALL_PPM = 1_000_000;

/** How a node did on each of the latest days: a picture of a box for each, and the same in words. */
export function NodeUptime({ nodeKey }: { nodeKey: string }) {
  const uptime = useRead(
    `uptime of ${nodeKey}`,
    (options) => getNodeUptime(client, { node_key: nodeKey }, options),
    'time',
  );
  return (
    <Section title="Uptime by day" aside="UTC">
      <Reading read={uptime} what="the uptime">
        {({ days }) => (
          <>
            <Picture days={days} />
            <details>
              <summary>{t('Data as a table')}</summary>
              <DayTable days={days} />
            </details>
          </>
        )}
      </Reading>
    </Section>
  );
}

function Picture({ days }: { days: readonly Day[] }) {
  const unknown = days.filter(({ uptime_ppm: ppm }) => ppm === null).length;
  return (
    <figure class="life">
      <p
        style={{ maxWidth: '26.25rem' }}
        role="img"
        aria-label={t('Uptime on each of {days}; the table below says the same in words.', {
          days: formatCountOf(days.length, 'day'),
        })}
      >
        {days.map(({ day, uptime_ppm: ppm }) => (
          <Box key={day} ppm={ppm} title={`${day}: ${formatPpm(ppm)}`} />
        ))}
      </p>
      <figcaption class="quiet">
        <span>
          {days[0]?.day} – {days.at(-1)?.day}
        </span>
        <span>
          <Box ppm={ALL_PPM} /> {t('passed in every slot')}
        </span>
        <span>
          <Box ppm={0.6 * ALL_PPM} /> {t('failed in some: as full as the share that it passed')}
        </span>
        <span>
          <Box ppm={null} />{' '}
          {t('unknown: no slot was judged, on {days}', { days: formatCountOf(unknown, 'day') })}
        </span>
      </figcaption>
    </figure>
  );
}

/**
 * Besides its colour, a day is told by how full its box is, and by the line around it. How it looks is said here, not in the
 * style sheet: every page loads that.
 */
function Box({ ppm, title }: { ppm: Day['uptime_ppm']; title?: string }) {
  const judged = ppm === ALL_PPM ? '1px solid var(--done)' : '2px solid var(--failed)';
  const filling = `linear-gradient(var(--done), var(--done)) bottom / 100% ${(ppm ?? 0) / 10_000}% no-repeat`;
  return (
    <i
      title={title}
      style={{
        width: '0.75rem',
        height: '1rem',
        margin: '1px',
        verticalAlign: 'middle',
        border: ppm === null ? '1px dashed var(--quiet)' : judged,
        background: ppm === null ? 'none' : filling,
      }}
    />
  );
}

/** The latest day first. */
function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <Table
      columns={[
        'Day',
        { heading: 'Slots passed', class: 'number' },
        { heading: 'Slots failed', class: 'number' },
        { heading: 'Uptime', class: 'number' },
      ]}
    >
      {[...days].reverse().map(({ day, passed, failed, uptime_ppm: ppm }) => (
        <tr key={day}>
          <td>{day}</td>
          <td class="number">{ppm === null ? '–' : formatCount(passed)}</td>
          <td class="number">{ppm === null ? '–' : formatCount(failed)}</td>
          <td class="number">{formatPpm(ppm)}</td>
        </tr>
      ))}
    </Table>
  );
}
