import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findPayload } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { decodeTokenOperation, type TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { MARKERS } from './markers.ts';
import type { Network } from './network.ts';
import { fetchTransaction } from './previous-transactions.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';

/**
 * The terms of a token, proven: its id is a hash over the creation's input and payload, so a service cannot tell other
 * decimals (and have a hundredfold sent) or another ticker for an id. That the creation was valid it does not prove.
 *
 * @param tokenId - hex
 * @param createdTxid - where the service says that it was created
 * @throws WalletError `token_invalid`, `previous_transaction_invalid`
 * @example
 * const { decimals } = await proveTokenTerms(token.token_id, token.created.txid, network, reads);
 */
export async function proveTokenTerms(
  tokenId: string,
  createdTxid: string,
  network: Network,
  reads: Pick<WalletReads, 'getRawTransaction'>,
): Promise<TokenTerms> {
  const { tx } = await fetchTransaction(createdTxid, reads);
  const found = findPayload(tx.outputs, MARKERS.token);
  const decoded = found.kind === 'one' ? decodeTokenOperation(found.payload) : undefined;
  if (found.kind === 'one' && decoded?.ok && decoded.operation.kind === 'create') {
    const id = bytesToHex(tokenIdOf(tx.inputs[0]!, found.payload, genesisPrefix(network)));
    if (id === tokenId.toLowerCase()) return decoded.operation.terms;
  }
  throw new WalletError(
    'token_invalid',
    `Transaction ${createdTxid} did not create token ${tokenId.slice(0, 64)}.`,
  );
}
