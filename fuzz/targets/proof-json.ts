import { CoinfrontError } from '@coinfront/sdk/client/error.ts';
import { readProblem } from '@coinfront/sdk/client/read-problem.ts';
import { verifyEpoch } from '@coinfront/sdk/verify/verify-epoch.ts';
import { verifyProof } from '@coinfront/sdk/verify/verify-proof.ts';
import { verifyReceipt } from '@coinfront/sdk/verify/verify-receipt.ts';
import { verifyTransactionProof } from '@coinfront/sdk/verify/verify-transaction-proof.ts';
import proofVectors from '../../docs/protocols/vectors/proofs.json' with { type: 'json' };
import registryVectors from '../../docs/protocols/vectors/registry.json' with { type: 'json' };
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const [anchored] = proofVectors.proofs;
const { digest, raw_tx, vout, position, header, branch } = anchored!;
const display = (hash: string) => Buffer.from(hash, 'hex').reverse().toString('hex');
const primary = { tx: raw_tx, vout, position, header, branch: branch.map(display) };
const [received] = registryVectors.receipts;
const registryKey = registryVectors.claim.registry_key;
const genesisHash = registryVectors.claim.genesis_hash;

/** What a service answers to those who believe nothing: proofs, receipts, problems. */
export const proofJsonTarget: FuzzTarget = {
  name: 'proof-json',
  reads: "a service's proofs and receipts, by the verifiers of the SDK",
  form: 'text',
  maxBytes: 4_000,
  seeds: [
    { primary },
    primary,
    { receipt: received!.receipt, signature: received!.signature, path: [], index: 0, size: 1, epoch: null },
    {
      receipt: received!.receipt,
      signature: received!.signature,
      path: ['ab'.repeat(32)],
      index: 0,
      size: 3,
      epoch: registryVectors.epoch,
    },
    { epoch: registryVectors.epoch, index: 0, path: [], checkpoint: 'a\n1\nAA==\n\n', anchor: { primary } },
    { code: 'rate_limited', detail: 'x', request_id: 'y' },
  ].map((value) => utf8(JSON.stringify(value))),
  words: ['null', '[]', '{}', '[null]', '"a"', '-1', '1e999', '0.5', '"\\ud800"', 'true'],
  check(input) {
    const text = toText(input);
    const error = readProblem(500, new Headers({ 'content-type': 'application/json' }), text);
    demand(
      error instanceof CoinfrontError && typeof error.message === 'string',
      'a problem is an error of ours',
    );
    const json = parse(text);
    if (json === undefined) return;
    const verdict = verifyProof(digest, json as never);
    demand(typeof verdict.ok === 'boolean', 'there is a verdict');
    const block = verifyTransactionProof(raw_tx, json as never);
    demand(block === undefined || typeof block.blockHash === 'string', 'a block, or none');
    const receipt = verifyReceipt(json as never, { registryKey, genesisHash });
    demand(typeof receipt.ok === 'boolean', 'there is a verdict on a receipt');
    const epoch = verifyEpoch(json as never, { registryKey, genesisHash });
    demand(typeof epoch.ok === 'boolean', 'there is a verdict on an epoch');
  },
  growing: {
    'steps of a branch': (bytes) =>
      utf8(
        JSON.stringify({
          primary: { ...primary, branch: Array<string>(Math.ceil(bytes / 67)).fill('ab'.repeat(32)) },
        }),
      ),
    'a transaction': (bytes) =>
      utf8(JSON.stringify({ primary: { ...primary, tx: `${raw_tx}${'00'.repeat(bytes / 2)}` } })),
    'a receipt': (bytes) =>
      utf8(
        JSON.stringify({
          receipt: { ...received!.receipt, more: 'a'.repeat(bytes) },
          path: [],
          signature: '',
        }),
      ),
  },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
