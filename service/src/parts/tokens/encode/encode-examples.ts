/** Examples of the document: of the token of all others. */

import { tokenWarnings } from '@coinfront/api/token-encode.ts';
import { tokenExamples } from '../token-examples.ts';

const { address, token, tip } = tokenExamples;
const { token_id } = token;
const payload = `56544b3103${token_id}0101b88c06`;
const carrier = `6a${(payload.length / 2).toString(16)}${payload}`;

export const encodeExamples = {
  createBody: { ticker: 'BERTH', decimals: 2, premine: '1000.00', mintable: true, cap: '5000.00' },
  mintBody: { token_id, amount: '1000.00', to: address },
  transferBody: { token_id, recipients: [{ to: address, amount: '990.00' }] },
  burnBody: { token_id, amount: '10.00' },
  sweepBody: { to: address },
  transfer: {
    as_of: tip,
    operation: 'TRANSFER' as const,
    token_id,
    payload,
    script: carrier,
    sender: null,
    sweep: null,
    outputs: [
      { purpose: 'carrier' as const, script: carrier, address: null, amount: '0.00000000' },
      {
        purpose: 'recipient' as const,
        script: '0014751e76e8199196d454941c45d1b3a323f1433bd6',
        address,
        amount: '0.00010000',
      },
    ],
    next_block: null,
    warnings: [{ code: 'sender_unchecked' as const, text: tokenWarnings.sender_unchecked }],
    transaction: null,
    transaction_refused: null,
  },
};
