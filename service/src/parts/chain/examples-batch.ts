import type { BatchAnswerJson } from '@coinfront/api/chain-batch.ts';
import { addressExamples, blockExamples } from './examples-chain.ts';

const unknown = 'ab'.repeat(32);

/** Examples of /batch. */
export const batchExamples: { body: { reads: string[] }; answer: BatchAnswerJson } = {
  body: { reads: [`/address/${addressExamples.summary.address}`, `/tx/${unknown}`] },
  answer: {
    as_of: { height: 174, hash: blockExamples.list.items[0]!.hash },
    answers: [
      { status: 200, body: addressExamples.summary },
      {
        status: 404,
        body: {
          type: 'urn:coinfront:error:transaction_not_found',
          title: 'No such transaction',
          status: 404,
          detail: `Neither the best chain nor the mempool has ${unknown}.`,
          code: 'transaction_not_found',
          instance: 'urn:coinfront:request:k3x9q1-7a',
          request_id: 'k3x9q1-7a',
        },
      },
    ],
  },
};
