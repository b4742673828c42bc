import { useState } from 'preact/hooks';
import { t } from '../language/messages.ts';
import { goTo } from '../router.tsx';
import { Section } from '../ui/page.tsx';
import { PartChartView, partCharts } from './part-chart.tsx';

const chart = partCharts.find(({ id }) => id === 'treasury')!;

/** Balance, income and spending since the beginning, drawn when they are asked for. A stretch of it is shown on the page of charts. */
export function TreasuryHistory() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="Balance over time"
      aside={<a href="/charts?chart=treasury&range=all">{t('All charts')}</a>}
    >
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{t('Show the chart')}</summary>
        {isOpen && (
          <PartChartView
            chart={chart}
            span={{ range: 'all' }}
            onZoom={(from, to) => goTo(`/charts?chart=treasury&from=${from}&to=${to}`)}
          />
        )}
      </details>
    </Section>
  );
}
