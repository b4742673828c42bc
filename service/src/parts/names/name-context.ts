import type { ReplicaJson } from '@coinfront/api/protocol-hashes.ts';
import type { NameContext } from '@coinfront/protocol/names/name-rules.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { SenderContext } from '../../unsigned/read-sender.ts';

/** What the routes of names are made with. */
export type NameRouteContext = ReadDependencies &
  NameContext &
  SenderContext & {
    /** What is known of the configured peers. */
    listReplicas: () => ReplicaJson[];
  };

/** Where this part's routes begin. */
export const namePrefix = '/api/vns/v1';
