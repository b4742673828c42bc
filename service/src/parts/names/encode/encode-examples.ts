/** Examples of the document: of a made chain, like all others. */

import { nameWarnings } from '@coinfront/api/name-encode.ts';
import { nameExamples } from '../name-examples.ts';

const { resolution, status } = nameExamples;
const { address, script } = resolution;
const salt = '2f9d0c41b7e85a6390c4d1e2f3a4b5c6';
const commitment = 'b4a1c7d3e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const payload = `564e53310201${salt}616c6963652e636f696e`;
const carrier = `6a${(payload.length / 2).toString(16)}${payload}`;

export const encodeExamples = {
  commitBody: { name: 'alice.coin', salt, owner: address },
  registerBody: { name: 'alice.coin', salt, periods: 1, address },
  transferBody: { name: 'alice.coin', to: address },
  recordsBody: { name: 'alice.coin', records: nameExamples.records.records, address },
  reverseBody: { name: 'alice.coin', address },
  renewBody: { name: 'alice.coin', periods: 2 },
  register: {
    as_of: status.as_of,
    operation: 'register' as const,
    name: 'alice.coin',
    commitment,
    records_hash: null,
    payload,
    script: carrier,
    sender: { address, script },
    outputs: [
      { purpose: 'carrier' as const, script: carrier, address: null, amount: '0.00000000' },
      {
        purpose: 'fee' as const,
        script: status.fee.script,
        address: status.fee.address,
        amount: '0.10000000',
      },
    ],
    cost: { per_period: '0.10000000', periods: 1, premium: '0.00000000', total: '0.10000000' },
    earliest: { height: 812_350, time: '2026-01-15T20:40:00.000Z', estimated: true },
    latest: { height: 813_346, time: '2026-01-22T18:40:00.000Z', estimated: true },
    next_block: { valid: false, reason: 'commit_immature' as const },
    warnings: [{ code: 'commit_immature' as const, text: nameWarnings.commit_immature }],
    transaction: null,
    transaction_refused: {
      code: 'insufficient_funds' as const,
      text: 'The address has 0.05000000 RCOIN that are confirmed and can be spent, less what spending them costs; 0.10000188 RCOIN are needed.',
    },
  },
};
