import { PageTitle } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** The treasury, where the coin has one. */
export function TreasuryPage() {
  return (
    <>
      <PageTitle title="Treasury" />
      <Empty>This coin has no treasury here.</Empty>
    </>
  );
}
