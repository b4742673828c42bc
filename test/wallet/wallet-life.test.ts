import { randomBytes } from 'node:crypto';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getTransaction } from '../../sdk/chain/get-transaction.ts';
import { getTransactionProof } from '../../sdk/chain/get-transaction-proof.ts';
import { getName } from '../../sdk/names/get-name.ts';
import { getNameAvailability } from '../../sdk/names/get-name-availability.ts';
import { getNameStatus } from '../../sdk/names/get-name-status.ts';
import { resolveName } from '../../sdk/names/resolve-name.ts';
import { getRegistryStatus } from '../../sdk/nodes/get-registry-status.ts';
import { registerNode } from '../../sdk/nodes/register-node.ts';
import { verifyClaim } from '../../sdk/nodes/verify-claim.ts';
import { getPayment } from '../../sdk/payments/get-payment.ts';
import { lookUpProof } from '../../sdk/proofs/look-up-proof.ts';
import { getToken } from '../../sdk/tokens/get-token.ts';
import { getTokenStatus } from '../../sdk/tokens/get-token-status.ts';
import { listTokenHolders } from '../../sdk/tokens/list-token-holders.ts';
import { fetchHeaders } from '../../sdk/verify/fetch-headers.ts';
import { proveNameOwner } from '../../sdk/verify/name-evidence.ts';
import { findWorkKind } from '../../sdk/verify/proof-of-work.ts';
import { verifyProof } from '../../sdk/verify/verify-proof.ts';
import { buildTransaction } from '../../sdk/wallet/build-transaction.ts';
import { bumpFee } from '../../sdk/wallet/bump-fee.ts';
import { chooseFeeRate } from '../../sdk/wallet/fee-policy.ts';
import { hashFile } from '../../sdk/wallet/hash-file.ts';
import { listHolders, listWalletNames, listWalletTokens } from '../../sdk/wallet/list-holdings.ts';
import { createMnemonic } from '../../sdk/wallet/mnemonic.ts';
import { quoteName, readNameSyntax } from '../../sdk/wallet/name-quote.ts';
import { nodePublicKey } from '../../sdk/wallet/node-identity.ts';
import { planAnchor } from '../../sdk/wallet/plan-anchor.ts';
import { planContribution } from '../../sdk/wallet/plan-contribution.ts';
import {
  planNameCommit,
  planNameRegister,
  planNameRenew,
  planNameTransfer,
} from '../../sdk/wallet/plan-names.ts';
import {
  createdTokenId,
  planTokenBurn,
  planTokenCreate,
  planTokenMint,
  planTokenTransfer,
} from '../../sdk/wallet/plan-tokens.ts';
import { proveTokenTerms } from '../../sdk/wallet/prove-token.ts';
import { readPaymentRequest } from '../../sdk/wallet/read-payment-request.ts';
import { nextAddress, scanAccounts, type WalletScan } from '../../sdk/wallet/scan-accounts.ts';
import { sendTransaction } from '../../sdk/wallet/send-transaction.ts';
import { signNodeClaim } from '../../sdk/wallet/sign-node-claim.ts';
import { planPayment } from '../../sdk/wallet/transaction-plan.ts';
import type { AddressKind, WalletAddress } from '../../sdk/wallet/wallet-address.ts';
import { getBalance } from '../../sdk/wallet/wallet-balance.ts';
import type { Wallet } from '../../sdk/wallet/wallet-keys.ts';
import { deriveAddress } from '../../sdk/wallet/watch-wallet.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { openWalletDesk, type WalletDesk } from './wallet-desk.ts';

const COIN = 100_000_000n;
const mnemonic = createMnemonic(12);
let desk: WalletDesk;
let wallet: Wallet;

/** The first address of a kind with an index, of the wallet. */
const addressOf = (kind: AddressKind, index: number): WalletAddress =>
  deriveAddress(wallet.watch, { kind, chain: 0, index });

beforeAll(async () => {
  desk = await openWalletDesk();
  wallet = desk.open(mnemonic);
  const amounts = Object.fromEntries(
    (['p2wpkh', 'p2tr', 'p2pkh'] as const).flatMap((kind) =>
      [0, 1, 2].map((i) => [addressOf(kind, i).address, 5]),
    ),
  );
  await desk.node.rpc('sendmany', '', amounts);
  await desk.mine();
});
afterAll(() => desk?.stop());

describe('a wallet of the SDK, at a real service beside a real node', () => {
  test('finds its coins in all accounts', async () => {
    expect(getBalance(await desk.scan(wallet))).toEqual({
      confirmed: 45n * COIN,
      pending: 0n,
      total: 45n * COIN,
      spendable: 45n * COIN,
      locked: 0n,
    });
  });

  test('pays from all kinds of coins in one transaction, which the node takes and mines', async () => {
    const to = await desk.node.newAddress();
    const rate = await chooseFeeRate({ targetBlocks: 3 }, desk.reads.getFees, desk.network);
    const only = (['p2wpkh', 'p2tr', 'p2pkh'] as const).map((kind) => addressOf(kind, 0));
    const plan = { ...planPayment([{ address: to, amount: 14n * COIN }], desk.network), onlyFrom: only };
    const built = await desk.build(wallet, plan, rate);
    expect(built.review.inputs).toHaveLength(3);
    const txid = await sendTransaction(desk.reads, desk.sign(wallet, built));
    await desk.mine();
    const mined = await getTransaction(desk.client, { txid });
    expect(mined).toMatchObject({ confirmed: true, output_value: expect.any(String) });
    expect(BigInt(mined.fee!.replace('.', ''))).toBe(built.review.fee);
    expect(mined.vsize).toBeLessThanOrEqual(built.review.vsize);
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(14);
  });

  test('pays twice in a row without taking the first payment back', async () => {
    const txids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      // As a program does that knows nothing of mempools.
      const scan = await scanAccounts(wallet.watch, desk.reads);
      const built = await buildTransaction({
        wallet: wallet.watch,
        coins: scan.coins,
        plan: planPayment([{ address: await desk.node.newAddress(), amount: COIN / 10n }], desk.network),
        // Each pays enough to replace the one before.
        feeRatePerKvb: 2_000n * BigInt(2 ** i),
        change: nextAddress(scan, { kind: 'p2wpkh', chain: 1 }),
        reads: desk.reads,
      });
      txids.push(await sendTransaction(desk.reads, desk.sign(wallet, built)));
    }
    const mempool = await desk.node.rpc<string[]>('getrawmempool');
    expect(mempool.sort()).toEqual(txids.sort());
    await desk.mine();
  });

  test('pays a payment by its id: exactly the rest that is asked for', async () => {
    const merchant = await createTestMerchant(desk.service, desk.database);
    const recipient = await desk.node.newAddress();
    const { json } = await merchant.post('/api/v1/payments', { recipient, amount: '0.12345678' });
    const request = await readPaymentRequest(json.id, desk.network, (payment_id) =>
      getPayment(desk.client, { payment_id }),
    );
    expect(request).toMatchObject({ address: recipient, amount: 12_345_678n });
    const plan = planPayment([{ address: request.address, amount: request.amount! }], desk.network);
    await desk.carryOut(wallet, plan);
    await desk.mine(2);
    const isPaid = async () => (await getPayment(desk.client, { payment_id: json.id })).status;
    await expect.poll(isPaid, { timeout: 20_000 }).toBe('paid');
    await expect(
      readPaymentRequest(json.id, desk.network, (payment_id) => getPayment(desk.client, { payment_id })),
    ).rejects.toMatchObject({ code: 'payment_closed' });
  });

  test('anchors a file with its own coins, and proves it without the service', async () => {
    const file = randomBytes(300_000);
    const digest = await hashFile(new Blob([file]));
    await desk.carryOut(wallet, planAnchor([digest]));
    await desk.mine(4);
    const proof = await lookUpProof(desk.client, { sha256: digest });
    const headers = await fetchHeaders(desk.client, { afterHeight: proof.primary!.height, count: 3 });
    const work = findWorkKind(desk.network.genesisHash);
    const verdict = verifyProof(digest, proof, { work, headers });
    expect(verdict).toMatchObject({
      ok: true,
      headers: 4,
      workChecked: true,
      unchecked: ['difficulty', 'best_chain'],
    });
    const trustedBlock = await desk.node.rpc<string>('getbestblockhash');
    expect(verifyProof(digest, proof, { work, headers, trustedBlock })).toMatchObject({
      ok: true,
      unchecked: [],
    });
    expect(verifyProof(await hashFile(file.subarray(1)), proof, { work })).toMatchObject({
      ok: false,
      code: 'anchor_missing',
    });
  });

  test('buys a name whose salt a restored wallet makes again, proves, renews and transfers it', async () => {
    const status = await getNameStatus(desk.client);
    const syntax = readNameSyntax(status);
    const name = 'satchel.coin';
    const owner = nextAddress(await desk.scan(wallet), { kind: 'p2wpkh', chain: 0 });
    const { network } = desk;
    const salt = wallet.keys.nameSalt(name);
    await desk.carryOut(wallet, planNameCommit({ name, owner, salt, network, syntax, fundOwner: COIN }));
    await desk.mine(status.rules.commit_maturity_blocks);

    const restored = desk.open(mnemonic);
    const availability = await getNameAvailability(desk.client, { name });
    const cost = quoteName('register', availability, status, network, { periods: 2, atMost: COIN });
    const register = { name, owner, salt: restored.keys.nameSalt(name), periods: 2, cost, syntax };
    const { review } = await desk.carryOut(restored, planNameRegister(register));
    expect(review.outputs[0]?.payload).toMatchObject({
      protocol: 'name',
      operation: { kind: 'register', name },
    });
    expect(review.outputs.at(-1)).toMatchObject({ kind: 'change', address: owner.address });
    await desk.mine();
    expect(await resolveName(desk.client, { name })).toMatchObject({ address: owner.address });
    const reads = {
      ...desk.reads,
      getTransactionProof: (txid: string) => getTransactionProof(desk.client, { txid }),
    };
    const known = await getName(desk.client, { name });
    expect(await proveNameOwner(known, reads)).toMatchObject({ kind: 'register' });
    const forged = { ...known, owner: { ...known.owner, script: `0014${'77'.repeat(20)}` } };
    expect(await proveNameOwner(forged, reads)).toBeUndefined();

    const renewal = quoteName('renew', await getNameAvailability(desk.client, { name }), status, network, {
      periods: 1,
    });
    await desk.carryOut(wallet, planNameRenew({ name, payer: owner, periods: 1, cost: renewal, syntax }));
    await desk.mine();
    expect((await getName(desk.client, { name })).expiry.height).toBe(
      known.expiry.height + status.rules.period_blocks,
    );

    const to = addressOf('p2tr', 7).address;
    await desk.carryOut(wallet, planNameTransfer({ name, owner, to, network, syntax }));
    await desk.mine();
    expect(await resolveName(desk.client, { name })).toMatchObject({ address: to });
    expect(await proveNameOwner(await getName(desk.client, { name }), reads)).toMatchObject({
      kind: 'transfer',
    });
  });

  test('creates a token, bumps its fee without losing its id, mints, transfers with a bump, and burns', async () => {
    const { network } = desk;
    const { create_fee } = await getTokenStatus(desk.client);
    const [issuer, holder] = [addressOf('p2wpkh', 10), addressOf('p2pkh', 10)] as const;
    await desk.node.rpc('sendmany', '', { [issuer.address]: 1.5, [holder.address]: 0.5 });
    await desk.mine();
    const fee = {
      amount: BigInt(create_fee.amount!.replace('.', '')),
      script: getHexBytes(create_fee.script),
    };
    const terms = {
      mintable: true,
      decimals: 2,
      premine: 1_000n,
      cap: 5_000n,
      ticker: 'BAG',
      metadataHash: undefined,
    };
    const created = await desk.carryOut(wallet, planTokenCreate({ terms, issuer, fee }), { preflight: true });
    const tokenId = createdTokenId(created.review, network)!;

    const bump = async (txid: string, feeRatePerKvb: bigint) => {
      const scan = await desk.scan(wallet);
      const change = nextAddress(scan, { kind: 'p2wpkh', chain: 1 });
      const bumped = await bumpFee({ scan, txid, feeRatePerKvb, change, reads: desk.reads });
      await sendTransaction(desk.reads, desk.sign(wallet, bumped));
      return bumped;
    };
    const bumped = await bump(created.txid, 20_000n);
    expect(createdTokenId(bumped.review, network)).toBe(tokenId);
    expect(bumped.review.fee).toBeGreaterThan(bumped.replaces.fee);
    expect(bumped.review.inputs[0]).toMatchObject({ txid: created.review.inputs[0]!.txid });
    await desk.mine();
    const { token } = await getToken(desk.client, { token_id: tokenId });
    expect(token).toMatchObject({ ticker: 'BAG', issuer: { address: issuer.address } });
    expect(await proveTokenTerms(tokenId, token.created.txid, network, desk.reads)).toEqual(terms);
    await expect(
      proveTokenTerms('00'.repeat(32), token.created.txid, network, desk.reads),
    ).rejects.toMatchObject({
      code: 'token_invalid',
    });

    const mint = planTokenMint({ tokenId, amount: 500n, to: holder.address, issuer, network });
    await desk.carryOut(wallet, mint, { preflight: true });
    await desk.mine();
    // A payment leaves the coins of who holds tokens where they are, though they would pay it exactly.
    const payment = planPayment([{ address: await desk.node.newAddress(), amount: COIN / 2n }], network);
    const { review: paid } = await desk.carryOut(wallet, payment);
    const holders = [issuer.address, holder.address];
    expect(paid.inputs.filter(({ owner }) => holders.includes(owner.address))).toEqual([]);

    // Input 0 has to be the holder's, and stay so when the fee is raised.
    const friend = await desk.node.newAddress();
    const recipients = [
      { to: friend, amount: 120n },
      { to: addressOf('p2tr', 9).address, amount: 80n },
    ];
    const moved = await desk.carryOut(wallet, planTokenTransfer({ tokenId, recipients, holder, network }), {
      preflight: true,
    });
    expect(moved.review.inputs[0]?.owner.address).toBe(holder.address);
    const again = await bump(moved.txid, 30_000n);
    expect(again.review.outputs.slice(0, 3).map(({ script }) => script)).toEqual(
      moved.review.outputs.slice(0, 3).map(({ script }) => script),
    );
    await desk.mine();
    await desk.carryOut(wallet, planTokenBurn({ tokenId, amount: 100n, holder }), { preflight: true });
    await desk.mine();
    const { items } = await listTokenHolders(desk.client, { token_id: tokenId });
    expect(Object.fromEntries(items.map(({ address, balance }) => [address, balance]))).toEqual({
      [issuer.address]: '10.00',
      [holder.address]: '2.00',
      [friend]: '1.20',
      [addressOf('p2tr', 9).address]: '0.80',
    });
    const tooMuch = planTokenBurn({ tokenId, amount: 201n, holder });
    await expect(desk.carryOut(wallet, tooMuch, { preflight: true })).rejects.toMatchObject({
      code: 'preflight_failed',
    });
  });

  test('gives to the treasury by tag and by exact amount, as a contributor that a restored wallet is again', async () => {
    const secret = (of: Wallet) => bytesToHex(of.keys.contributorSecret(0));
    const call = async (path: string, body: object) => {
      const answer = await desk.service.post(`/api/treasury/${path}`, body);
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.json;
    };
    await call('contributors', { contributor_secret: secret(wallet), nickname: 'Seamstress' });
    for (const method of ['carrier', 'exact_amount']) {
      const intent = await call('intents', { contributor_secret: secret(wallet), amount: '0.25', method });
      const plan = planContribution({ intent, amount: COIN / 4n, network: desk.network });
      const { review } = await desk.carryOut(wallet, plan);
      expect(review.outputs[0]).toMatchObject({ kind: 'external', address: intent.address });
      expect(review.sent >= COIN / 4n && review.sent < COIN / 4n + 10_000n).toBe(true);
    }
    await desk.mine(6);
    const account = async () =>
      (await call('me', { contributor_secret: secret(desk.open(mnemonic)) })).verified_total;
    await expect.poll(account, { timeout: 20_000 }).toMatch(/^0\.5000\d{4}$/);
    const intent = await call('intents', { contributor_secret: secret(wallet), amount: '0.25' });
    const plan = (change: object) => () =>
      planContribution({ intent: { ...intent, ...change }, amount: COIN / 4n, network: desk.network });
    for (const change of [
      { requested_amount: '2.50000000' },
      { tag: '00' },
      { tag: null, exact_amount: '9.00000000' },
    ]) {
      expect(plan(change)).toThrow(expect.objectContaining({ code: 'claim_mismatch' }));
    }
  });

  test('registers a node, and once more as the same node from its words', async () => {
    const status = async () => await getRegistryStatus(desk.client);
    await expect.poll(async () => (await status()).is_open, { timeout: 20_000 }).toBe(true);
    const registryKey = (await status()).registry_key!;
    for (const { keys } of [wallet, desk.open(mnemonic)]) {
      const payout = addressOf('p2tr', 0);
      const endpoint = '127.0.0.1:19444';
      const node_key = nodePublicKey(keys, 0);
      const claim = await registerNode(desk.client, { node_key, endpoint, payout_address: payout.address });
      const intent = { domain: 'coin.example', registryKey, endpoint, payout, nodeIndex: 0 };
      const answer = await verifyClaim(desk.client, signNodeClaim(keys, intent, claim));
      expect(answer).toMatchObject({ claim: { state: 'verified', node_key } });
      const elsewhere = { ...intent, domain: 'other.example' };
      expect(() => signNodeClaim(keys, elsewhere, claim)).toThrow(
        expect.objectContaining({ code: 'claim_mismatch' }),
      );
    }
  });

  test('is restored from its words: balance, names and tokens', async () => {
    const before = await desk.scan(wallet);
    const restored = desk.open(mnemonic);
    const after = await desk.scan(restored);
    expect(getBalance(after)).toEqual(getBalance(before));
    expect(getBalance(after).locked).toBe(0n);
    expect((await listWalletNames(desk.client, after)).map(({ name, resolves }) => [name, resolves])).toEqual(
      [['satchel.coin', true]],
    );
    const tokens = await listWalletTokens(desk.client, after);
    expect(tokens.map(({ ticker, balance }) => [ticker, balance]).sort()).toEqual([
      ['BAG', '0.80'],
      ['BAG', '10.00'],
      ['BAG', '2.00'],
    ]);
  });

  test('pays nearly all that it has, and each address of a name or a token still has a coin to move it with', async () => {
    const funded = (scan: WalletScan) => new Set(scan.coins.map(({ owner }) => owner.address));
    const before = await desk.scan(wallet);
    const holders = (await listHolders(desk.client, before)).map(({ address }) => address);
    const movable = holders.filter((address) => funded(before).has(address));
    expect(movable.length).toBeGreaterThan(1);
    // What it pays could be had from the coins that stay, too.
    const largest = movable.map((address) =>
      before.coins
        .filter(({ owner }) => owner.address === address)
        .reduce((most, { value }) => (value > most ? value : most), 0n),
    );
    const left = largest.reduce((sum, value) => sum + value, COIN / 100n);
    const amount = getBalance(before).spendable - left;
    const to = await desk.node.newAddress();
    const { review } = await desk.carryOut(wallet, planPayment([{ address: to, amount }], desk.network));
    expect(review.sent).toBe(amount);
    await desk.mine();
    const after = funded(await desk.scan(wallet));
    expect(movable.filter((address) => !after.has(address))).toEqual([]);
  });

  test('sends all that it has, and nothing is left', async () => {
    const before = getBalance(await desk.scan(wallet));
    const to = await desk.node.newAddress();
    const { review } = await desk.carryOut(
      wallet,
      planPayment([{ address: to, amount: 'all' }], desk.network),
    );
    expect(review.sent + review.fee).toBe(before.spendable);
    await desk.mine();
    expect(getBalance(await desk.scan(wallet)).total).toBe(0n);
  });
});
