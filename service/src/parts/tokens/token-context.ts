/** What the routes of tokens are made with. */

import type { HealthJson } from '@coinfront/api/chain-state.ts';
import type { ReplicaJson } from '@coinfront/api/protocol-hashes.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { TokenContext } from '@coinfront/protocol/tokens/token-rules.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { MempoolTestResult } from '../../node/broadcast.ts';
import type { SenderContext } from '../../unsigned/read-sender.ts';
import type { FindReviewedMetadata } from './metadata/reviewed-metadata.ts';

/** Dependencies of this part. */
export type TokenRouteContext = ReadDependencies &
  SenderContext & {
    tokens: TokenContext;
    findReviewedMetadata: FindReviewedMetadata;
    /** Asks the node whether it would take a transaction; throws NodeError when it cannot be asked. */
    testTransaction: (rawTxHex: string) => Promise<MempoolTestResult>;
    /** How the index that answers at a height stands to the node. */
    judgeIndex: (tipHeight: number) => { status: HealthJson['status']; lagBlocks: number | undefined };
    /** What is known of the configured peers. */
    listReplicas: () => ReplicaJson[];
  };

/** Where this part's routes begin. */
export const tokenPrefix = '/api/v1';

/** What the rules of tokens need to know of a coin; undefined for one without tokens. */
export function findTokenContext(profile: CoinProfile): TokenContext | undefined {
  return profile.tokens && { rules: profile.tokens, genesisPrefix: genesisPrefix(profile) };
}
