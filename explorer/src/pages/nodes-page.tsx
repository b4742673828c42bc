import { PageTitle } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** The node registry, where the service has one. */
export function NodesPage() {
  return (
    <>
      <PageTitle title="Nodes" />
      <Empty>This service keeps no registry of nodes.</Empty>
    </>
  );
}
