import { isZeroAmount } from '../format/amount.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Fact } from '../ui/facts.tsx';

/** What an address, or all addresses of a wallet have, and how they came to it. */
type Sums = {
  balance: string;
  confirmed: { received: string; received_count: number; spent: string; spent_count: number };
  mempool: { balance: string };
};

/** Facts about a balance: what there is, what waits, what was received and spent. */
export function BalanceFacts({ summary: { balance, confirmed, mempool } }: { summary: Sums }) {
  return (
    <>
      <Fact name="Balance">
        <strong>
          <Amount value={balance} />
        </strong>
      </Fact>
      {!isZeroAmount(mempool.balance) && (
        <Fact name="Unconfirmed">
          <Amount value={mempool.balance} signed />
        </Fact>
      )}
      <Fact name="Received">
        <Amount value={confirmed.received} />{' '}
        <span class="quiet">{t('in {count}', { count: formatCount(confirmed.received_count) })}</span>
      </Fact>
      <Fact name="Spent">
        <Amount value={confirmed.spent} />{' '}
        <span class="quiet">{t('in {count}', { count: formatCount(confirmed.spent_count) })}</span>
      </Fact>
    </>
  );
}
