import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lacks } from './data/lacks.ts';
import { beginPending } from './data/pending.ts';
import { pulse } from './data/pulse.ts';
import { t } from './language/messages.ts';
import { HomePage } from './pages/home-page.tsx';
import { ProblemPage } from './pages/problem-page.tsx';
import { decodePart, place } from './router.tsx';
import { Loading, Trouble } from './ui/states.tsx';

type PageOf<P> = ComponentType<P>;

/** The page that the service sent. */
const firstPath = location.pathname;

/** A page whose code comes when it is first looked at; what could not be fetched is fetched once the service answers again. */
function lazy<P extends object>(load: () => Promise<PageOf<P>>): PageOf<P> {
  let loaded: PageOf<P> | undefined;
  return (props: P) => {
    const [Page, setPage] = useState<PageOf<P> | undefined>(() => loaded);
    const [error, setError] = useState<unknown>();
    const endPending = useRef(() => {});
    function fetchIt(onFailure: (error: unknown) => void): void {
      load().then((next) => {
        loaded = next;
        setPage(() => next);
      }, onFailure);
    }
    useEffect(() => {
      if (loaded !== undefined) return undefined;
      endPending.current = beginPending();
      fetchIt(setError);
      return () => endPending.current();
    }, []);
    useEffect(() => {
      if (error === undefined || Page !== undefined) return undefined;
      // Some browsers keep that a file could not be fetched, and after an update there is another: the service sends the page.
      return pulse.subscribe(() => fetchIt(() => location.pathname !== firstPath && location.reload()));
    }, [error, Page]);
    // What the page reads it has begun to read by then.
    useEffect(() => {
      if (Page !== undefined || error !== undefined) endPending.current();
    }, [Page, error]);
    if (Page !== undefined) return <Page {...props} />;
    if (error === undefined) return <Loading what="the page" />;
    return (
      <Trouble
        error={t('Its code could not be fetched. It is tried again by itself.')}
        onRetry={() => fetchIt(setError)}
      />
    );
  };
}

type Parameter = { parameter: string };

const BlocksPage = lazy(async () => (await import('./pages/blocks-page.tsx')).BlocksPage);
const BlockPage = lazy<Parameter>(async () => (await import('./pages/block-page.tsx')).BlockPage);
const TxPage = lazy<Parameter>(async () => (await import('./pages/tx-page.tsx')).TxPage);
const AddressPage = lazy<Parameter>(async () => (await import('./pages/address-page.tsx')).AddressPage);
const MempoolPage = lazy(async () => (await import('./pages/mempool-page.tsx')).MempoolPage);
const ProjectedBlockPage = lazy<Parameter>(
  async () => (await import('./pages/projected-block-page.tsx')).ProjectedBlockPage,
);
const ChartsPage = lazy(async () => (await import('./pages/charts-page.tsx')).ChartsPage);
const RichPage = lazy(async () => (await import('./pages/rich-page.tsx')).RichPage);
const ProofsPage = lazy(async () => (await import('./pages/proofs-page.tsx')).ProofsPage);
const ProofPage = lazy<Parameter>(async () => (await import('./pages/proof-page.tsx')).ProofPage);
const NamesPage = lazy(async () => (await import('./pages/names-page.tsx')).NamesPage);
const NamePage = lazy<Parameter>(async () => (await import('./pages/name-page.tsx')).NamePage);
const TokensPage = lazy(async () => (await import('./pages/tokens-page.tsx')).TokensPage);
const TokenPage = lazy<Parameter>(async () => (await import('./pages/token-page.tsx')).TokenPage);
const MinerPage = lazy<Parameter>(async () => (await import('./pages/miner-page.tsx')).MinerPage);
const PoolPage = lazy(async () => (await import('./pages/pool-page.tsx')).PoolPage);
const NodesPage = lazy(async () => (await import('./pages/nodes-page.tsx')).NodesPage);
const NodePage = lazy<Parameter>(async () => (await import('./pages/node-page.tsx')).NodePage);
const TreasuryPage = lazy(async () => (await import('./pages/treasury-page.tsx')).TreasuryPage);
const DevelopersPage = lazy(async () => (await import('./pages/developers-page.tsx')).DevelopersPage);
const ReferencePage = lazy<Parameter>(async () => (await import('./pages/reference-page.tsx')).ReferencePage);
const ReleasesPage = lazy(async () => (await import('./pages/releases-page.tsx')).ReleasesPage);
const StandardPage = lazy(async () => (await import('./pages/standard-page.tsx')).StandardPage);
const WalletPage = lazy(async () => (await import('./pages/wallet-page.tsx')).WalletPage);
const SearchPage = lazy(async () => (await import('./pages/search-page.tsx')).SearchPage);

const plain: Readonly<Record<string, ComponentType>> = {
  '': HomePage,
  blocks: BlocksPage,
  mempool: MempoolPage,
  charts: ChartsPage,
  rich: RichPage,
  proofs: ProofsPage,
  names: NamesPage,
  tokens: TokensPage,
  pool: PoolPage,
  nodes: NodesPage,
  treasury: TreasuryPage,
  developers: DevelopersPage,
  releases: ReleasesPage,
  'wallet-standard': StandardPage,
  xpub: WalletPage,
  search: SearchPage,
};

const withParameter: Readonly<Record<string, ComponentType<Parameter>>> = {
  block: BlockPage,
  tx: TxPage,
  address: AddressPage,
  mempool: ProjectedBlockPage,
  proof: ProofPage,
  name: NamePage,
  token: TokenPage,
  'pool/miner': MinerPage,
  node: NodePage,
  developers: ReferencePage,
};

const pages = new Map<string, ComponentType>();

/** The page of a path; one that says so where there is none. The same path gives the same component. */
export function findPage(path: string): ComponentType {
  const first = path.split('/')[1] ?? '';
  if (lacks(first) || lacks(`${first}s`)) return NoPage;
  const end = path.lastIndexOf('/');
  if (end === 0) return plain[path.slice(1)] ?? NoPage;
  const Page = withParameter[path.slice(1, end)];
  const parameter = decodePart(path.slice(end + 1));
  if (Page === undefined || parameter === undefined || parameter === '') return NoPage;
  const known = pages.get(path);
  if (known !== undefined) return known;
  const made = () => <Page parameter={parameter} />;
  pages.set(path, made);
  return made;
}

function NoPage() {
  return (
    <ProblemPage
      problem={{
        status: 404,
        code: 'route_not_found',
        detail: `There is nothing at ${place.get().path}.`,
        request_id: '',
      }}
    />
  );
}
