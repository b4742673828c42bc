import { getTokenDistribution } from '@coinfront/sdk/tokens/get-token-distribution.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatDecimal } from '../format/number.ts';
import { formatPpm } from '../format/verdict.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

const PPM = 1_000_000;

/** What the largest holders have in all. */
export function TokenDistribution({ tokenId }: { tokenId: string }) {
  const distribution = useRead(
    `distribution ${tokenId}`,
    (options) => getTokenDistribution(client, { token_id: tokenId }, options),
    'tip',
  );
  return (
    <Section title="Distribution" aside={t('a holder is an address')}>
      <Reading read={distribution} what="the distribution">
        {({ holders, largest }) =>
          holders === 0 ? (
            <Empty>{t('Nobody holds any of it.')}</Empty>
          ) : (
            <Table
              columns={[
                'Largest holders',
                'Share',
                { heading: 'Percent', class: 'number' },
                { heading: 'Balance', class: 'number' },
              ]}
            >
              {/* A row for more than there are says nothing new. */}
              {largest
                .filter((_, i) => i === 0 || largest[i - 1]!.size < holders)
                .map(({ size, holders: summed, balance, share_ppm }) => (
                  <tr key={size}>
                    <td>{formatCount(summed)}</td>
                    <td>
                      <Bar share={share_ppm / PPM} label={formatPpm(share_ppm)} />
                    </td>
                    <td class="number">{formatDecimal(((share_ppm / PPM) * 100).toFixed(2))}</td>
                    <td class="number">
                      <Amount value={balance} unit="" />
                    </td>
                  </tr>
                ))}
            </Table>
          )
        }
      </Reading>
    </Section>
  );
}
