import { t } from '../language/messages.ts';
import { goTo } from '../router.tsx';
import { Section } from '../ui/page.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { PartChartView, partCharts } from './part-chart.tsx';

const chart = partCharts.find(({ id }) => id === 'treasury')!;

/** Balance, income and spending since the beginning, drawn when they are asked for. A stretch of it is shown on the page of charts. */
export function TreasuryHistory() {
  return (
    <Section
      title="Balance over time"
      aside={<a href="/charts?chart=treasury&range=all">{t('All charts')}</a>}
    >
      <Unfold summary="Show the chart">
        <PartChartView
          chart={chart}
          span={{ range: 'all' }}
          onZoom={(from, to) => goTo(`/charts?chart=treasury&from=${from}&to=${to}`)}
        />
      </Unfold>
    </Section>
  );
}
