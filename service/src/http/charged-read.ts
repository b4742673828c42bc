import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChainView, ReadChain } from '../chain/chain-reads.ts';

/**
 * Reads for a client, and charges it for the bytes that were read. A read that turns out to be large is made once more when it
 * is its turn, and is paid for once.
 *
 * @param read is given what notes bytes that were read
 * @throws AppError `rate_limited`, `overloaded`, and what `read` throws
 */
export async function readCharged<T>(
  { admission, largeReads }: Pick<FastifyInstance, 'admission' | 'largeReads'>,
  request: FastifyRequest,
  readChain: ReadChain,
  read: (view: ChainView, charge: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  let charged = 0;
  const charge = (bytes: number): void => {
    charged += bytes;
  };
  const readAnew = (view: ChainView): Promise<T> => {
    charged = 0;
    return read(view, charge);
  };
  try {
    return await readChain(readAnew, { enterLarge: () => largeReads.enter(request) });
  } finally {
    if (charged > 0) admission.chargeBytes(request, charged);
  }
}
