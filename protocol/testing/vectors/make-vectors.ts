import { makeCarrierVectors } from './carrier-vectors.ts';
import { makeHashChainVectors } from './hash-chain-vectors.ts';
import { makeNameRecordsVectors } from './name-records-vectors.ts';
import { makeNameReverseVectors } from './name-reverse-vectors.ts';
import { makeNameVectors } from './name-vectors.ts';
import { makeProofVectors } from './proof-vectors.ts';
import { makeRegistryVectors } from './registry-vectors.ts';
import { makeSenderVectors } from './sender-vectors.ts';
import { makeSignedLogVectors } from './signed-log-vectors.ts';
import { makeSwapVectors } from './swap-vectors.ts';
import { makeSweepVectors } from './sweep-vectors.ts';
import { makeTokenVectors } from './token-vectors.ts';
import { makeTreasuryVectors } from './treasury-vectors.ts';

/** The test vectors of the on-chain protocols by the name of their file in docs/protocols/vectors; always the same. */
export function makeProtocolVectors(): Record<string, unknown> {
  return {
    carrier: makeCarrierVectors(),
    sender: makeSenderVectors(),
    names: makeNameVectors(),
    'names-records': makeNameRecordsVectors(),
    'names-reverse': makeNameReverseVectors(),
    tokens: makeTokenVectors(),
    'tokens-sweep': makeSweepVectors(),
    'token-swap': makeSwapVectors(),
    proofs: makeProofVectors(),
    'hash-chain': makeHashChainVectors(),
    treasury: makeTreasuryVectors(),
    registry: makeRegistryVectors(),
    'signed-log': makeSignedLogVectors(),
  };
}
