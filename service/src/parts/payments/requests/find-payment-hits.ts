import { paymentIdPattern } from '../payment-ids.ts';
import { readPaymentVersion } from './payment-store.ts';

type Hit = { kind: 'payment'; id: string; path: string };

/** Finds a payment by its identifier, in either case: whoever knows that may read its status. */
export function findPaymentHits(
  precious: Parameters<typeof readPaymentVersion>[0],
): (text: string) => Promise<Hit[]> {
  return async (text) => {
    const id = text.toUpperCase();
    if (!paymentIdPattern.test(id) || (await readPaymentVersion(precious, id)) === undefined) return [];
    return [{ kind: 'payment', id, path: `/api/v1/payments/${id}` }];
  };
}
