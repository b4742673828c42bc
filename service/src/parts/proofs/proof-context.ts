import type { ReplicaJson } from '@coinfront/api/protocol-hashes.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { Anchorer } from './anchorer.ts';
import type { ProofRules } from './read-proof.ts';

/** What the routes of proofs are made with. */
export type ProofContext = ReadDependencies & {
  rules: ProofRules;
  /** What its hashes hang on besides the blocks. */
  rulesId: string;
  /** What is known of the configured peers. */
  listReplicas: () => ReplicaJson[];
  /** Sends transactions of the operator's wallet; undefined where the operator configured none. */
  anchorer: Anchorer | undefined;
};

/** Where this part's routes begin. */
export const proofPrefix = '/api/v1';
