import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapRefusal } from './refusal.ts';

// Texts as nodes of Core 0.14 to 31 and Dogecoin's 1.14 send them.
test.each([
  [-27, 'Transaction already in block chain', 'already_known'],
  [-27, 'Transaction outputs already in utxo set', 'already_known'],
  [-26, 'txn-already-in-mempool', 'already_known'],
  [-26, '18: txn-already-in-mempool (code 18)', 'already_known'],
  [-26, 'txn-already-known', 'already_known'],
  [-26, 'txn-same-nonwitness-data-in-mempool', 'already_known'],
  [-22, 'TX decode failed', 'decode_failed'],
  [-22, 'TX decode failed. Make sure the tx has at least one input.', 'decode_failed'],
  [-25, 'Missing inputs', 'missing_inputs'],
  [-25, 'bad-txns-inputs-missingorspent', 'missing_inputs'],
  [-25, 'Inputs missing or spent', 'missing_inputs'],
  [-26, 'missing-inputs', 'missing_inputs'],
  [-26, 'txn-mempool-conflict', 'mempool_conflict'],
  [-26, '18: txn-mempool-conflict (code 18)', 'mempool_conflict'],
  [
    -26,
    'insufficient fee, rejecting replacement 0a; new feerate 0.1 <= old feerate 0.2',
    'replacement_fee_too_low',
  ],
  [-26, 'insufficient feerate: does not improve feerate diagram', 'replacement_fee_too_low'],
  [-26, 'replacement-failed', 'replacement_fee_too_low'],
  [-26, 'too many potential replacements', 'mempool_conflict'],
  [-26, 'bip125-replacement-disallowed', 'mempool_conflict'],
  [-26, 'txn-mempool-name-error', 'mempool_conflict'],
  [-26, 'tx-name-greedy, Greedy name operation', 'invalid'],
  [-26, 'tx-nameupdate-nonexistant', 'invalid'],
  [-26, 'tx-nonname-with-name-output', 'invalid'],
  [-26, 'tx-firstupdate-existing-name', 'invalid'],
  [-26, 'tx-multiple-name-outputs', 'invalid'],
  [-26, 'tx-value-invalid, Invalid value', 'invalid'],
  [-26, 'min relay fee not met, 0 < 110', 'fee_too_low'],
  [-26, '66: min relay fee not met (code 66)', 'fee_too_low'],
  [-26, 'mempool min fee not met, 100 < 3000', 'fee_too_low'],
  [-26, 'mempool full', 'mempool_full'],
  [-26, 'too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]', 'too_long_chain'],
  [-26, 'too-large-cluster', 'too_long_chain'],
  [-26, '64: dust', 'dust'],
  [-26, 'dust, tx with dust output must be 0-fee', 'dust'],
  [-26, '64: scriptpubkey', 'non_standard'],
  [-26, 'scriptsig-not-pushonly', 'non_standard'],
  [-26, 'tx-size-small', 'non_standard'],
  [-26, 'multi-op-return', 'non_standard'],
  [-26, 'datacarrier', 'non_standard'],
  [-26, 'TRUC-violation, version=3 tx 0a is too big', 'non_standard'],
  [-26, 'tx-size', 'too_large'],
  [-26, 'bad-txns-oversize', 'too_large'],
  [-26, 'bad-txns-too-many-sigops, 16005', 'too_large'],
  [-26, '256: absurdly-high-fee', 'fee_too_high'],
  [-26, 'max-fee-exceeded', 'fee_too_high'],
  [-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', 'fee_too_high'],
  [-25, 'Unspendable output exceeds maximum configured by user (maxburnamount)', 'burn_too_large'],
  [-26, '16: mandatory-script-verify-flag-failed (Signature must be zero)', 'script_failed'],
  [-26, 'non-mandatory-script-verify-flag (Witness program hash mismatch)', 'script_failed'],
  [-26, 'mempool-script-verify-flag-failed (Invalid Schnorr signature)', 'script_failed'],
  [
    -26,
    'bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 1',
    'premature_coinbase_spend',
  ],
  [-26, 'bad-txns-premature-spend-of-pegout', 'premature_coinbase_spend'],
  [-26, 'non-final', 'non_final'],
  [-26, 'non-BIP68-final', 'non_final'],
  [-26, 'bad-txns-in-belowout, value in (1) < value out (2)', 'invalid'],
  [-26, 'bad-txns-vout-negative', 'invalid'],
  [-26, 'coinbase', 'invalid'],
  [-26, 'something that no table knows', 'other'],
  [-25, '', 'other'],
])('%i "%s" is %s', (rpcCode, reason, code) => {
  expect(mapRefusal(rpcCode, reason)).toBe(code);
});

test('any other text is a refusal, too', () => {
  fc.assert(
    fc.property(fc.string(), (reason) => {
      expect(mapRefusal(-26, `?${reason}`)).toBe('other');
    }),
  );
});
