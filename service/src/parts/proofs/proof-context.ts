import type { ReplicaJson } from '@coinfront/api/protocol-hashes.ts';
import type { BodyReader } from '../../http/read-body.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { Anchorer } from './anchorer.ts';
import type { Calendar } from './calendar/calendar.ts';
import type { FoundLeaf } from './calendar/find-leaf.ts';
import type { ProofRules } from './read-proof.ts';

/** What the routes of proofs are made with. */
export type ProofContext = ReadDependencies & {
  rules: ProofRules;
  /** Names the chain in files of OpenTimestamps. */
  genesisHash: string;
  /** What its hashes hang on besides the blocks. */
  rulesId: string;
  /** What is known of the configured peers. */
  listReplicas: () => ReplicaJson[];
  /** Sends transactions of the operator's wallet; undefined where the operator configured none. */
  anchorer: Anchorer | undefined;
  /** Takes digests that are anchored together; undefined where this service takes none. */
  calendar: Calendar | undefined;
  /** The address that files of OpenTimestamps name it by; undefined without a public address. */
  calendarUri: string | undefined;
  /** Reads bodies that are no JSON. */
  bodies: Pick<BodyReader, 'readText'>;
  /** What was taken of a digest (hex), whether or not more are taken now. */
  findLeaf: (digest: string) => Promise<FoundLeaf | undefined>;
};

/** Where this part's routes begin. */
export const proofPrefix = '/api/v1';
