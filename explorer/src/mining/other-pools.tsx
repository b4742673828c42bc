import type { OtherPoolJson } from '@coinfront/api/mining.ts';
import { formatCountOf, formatDecimal, formatHashrate } from '../format/number.ts';
import { asIs, t } from '../language/messages.ts';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { PoolReports } from './pool-reports.tsx';

/** Further pools of the operator, each with what its software reports. */
export function OtherPools({ pools }: { pools: readonly OtherPoolJson[] }) {
  if (pools.length === 0) return null;
  return (
    <Section title="Other pools of the operator" aside={t('counted apart')}>
      {pools.map((other) => (
        <div key={other.name}>
          <p class="quiet">
            <Mark>{asIs(other.name)}</Mark> {describe(other)}
          </p>
          <Unfold summary="Blocks and payments that it reports">
            <PoolReports source={other.name} />
          </Unfold>
        </div>
      ))}
    </Section>
  );
}

function describe({ hashrates, miners, workers, effort, source, stale }: OtherPoolJson): string {
  const rate = hashrates[0]?.hashes_per_second;
  return [
    rate ? formatHashrate(Number(rate)) : t('hashrate unknown'),
    ...(miners === null ? [] : [formatCountOf(miners, 'miner')]),
    ...(workers === null ? [] : [formatCountOf(workers, 'machine')]),
    ...(effort === null ? [] : [t('effort {effort}', { effort: formatDecimal(effort.toFixed(2)) })]),
    t(stale ? '{source}, which does not answer now' : 'as {source} says', { source }),
  ].join(', ');
}
