import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { proofPrefix } from './proof-context.ts';
import type { ProofRules } from './read-proof.ts';

type Hit = { kind: 'proof'; id: string; path: string };

/** Finds digests that are anchored, or on their way, for the search. */
export function findProofHits({ marker }: ProofRules): (text: string, view: ChainView) => Promise<Hit[]> {
  return async (text, view) => {
    if (!/^[0-9a-fA-F]{64}$/.test(text)) return [];
    const id = text.toLowerCase();
    const script = anchorScript(getHexBytes(id), marker);
    const isKnown =
      (await view.findFirstOutput(script)) !== undefined ||
      (await view.listMempoolHistory(script, undefined, 1)).length > 0;
    return isKnown ? [{ kind: 'proof', id, path: `${proofPrefix}/proof/lookup/${id}` }] : [];
  };
}
