import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '../../bytes.ts';
import { writeAlertText } from '../../registry/alert-text.ts';
import { chooseBlockHeight } from '../../registry/block-challenge.ts';
import { writeClaimText } from '../../registry/claim-text.ts';
import { endpointTokenOf } from '../../registry/endpoint-token.ts';
import { findLook, type NodeLook, type NodeLooks, type SignedLooks } from '../../registry/looks.ts';
import {
  type EpochSummary,
  FIRST_PREVIOUS_HASH,
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  writeRegistryText,
  writeSignedText,
} from '../../registry/receipt.ts';
import { judgeVotes, readVote } from '../../registry/votes.ts';
import { inclusionPath, rootOfLeaves } from '../../signed-log/merkle-tree.ts';
import { toJson } from './hex.ts';
import { makeRewardVectors } from './reward-vectors.ts';

const network = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';
const registrySeed = new Uint8Array(32).fill(5);
const nodeSeed = new Uint8Array(32).fill(6);
const vantageSeeds = [9, 10, 11].map((byte) => new Uint8Array(32).fill(byte));
const registryKey = bytesToHex(ed25519.getPublicKey(registrySeed));
const nodeKey = bytesToHex(ed25519.getPublicKey(nodeSeed));
const payoutAddress = 'rltc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j2nmv4xs';
const endpoint = '203.0.113.7:19444';
const SLOT_MS = 600_000;
const FIRST_SLOT_MS = Date.UTC(2026, 10, 20, 12, 10);

const sign = (text: string, seed: Uint8Array) =>
  bytesToHex(ed25519.sign(new TextEncoder().encode(text), seed));
const writeTime = (ms: number) => new Date(ms).toISOString();

/** Vectors of the node registry; the seeds of its keys are 32 bytes 05 (registry), 06 (node), and 09 to 0b (vantage points). */
export function makeRegistryVectors(): unknown {
  const claim = {
    domain: 'coin.example',
    registryKey,
    genesisHash: network,
    nodeKey,
    endpoint,
    payoutAddress,
    nonce: '59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
    issuedAtMs: Date.UTC(2026, 10, 20, 12),
    expiresAtMs: Date.UTC(2026, 10, 20, 13),
  };
  const text = writeClaimText(claim);
  const receipts = makeReceipts();
  const leaves = receipts.map(({ hash }) => leafOfReceipt(hash));
  const tips = [1, 5, 6, 500, 812_345].map((height) => ({ height, hash: network }));
  return {
    claim: {
      ...(toJson(claim) as object),
      text,
      node_signature: sign(text, nodeSeed),
      endpoint_token: endpointTokenOf({ registryKey, genesisHash: network, nodeKey, payoutAddress }),
    },
    blocks: tips.map((tip) => ({
      tip_height: tip.height,
      tip_hash: tip.hash,
      node_key: nodeKey,
      height: chooseBlockHeight(tip, nodeKey),
    })),
    receipts: receipts.map(({ receipt, text: written, hash, signature }, index) => ({
      receipt,
      text: written,
      hash,
      signature,
      leaf: bytesToHex(leaves[index]!),
      path: inclusionPath(leaves, index).map(bytesToHex),
    })),
    alerts: makeAlerts(),
    epoch: makeEpoch(receipts, bytesToHex(rootOfLeaves(leaves)), { version: 1 }),
    epoch_of_rules_4: makeEpoch(receipts, bytesToHex(rootOfLeaves(leaves)), {
      ...{ version: 3, rules: 4, slots: 2, as_table: 'ab'.repeat(32) },
    }),
    epoch_of_vantages: makeEpoch(receipts, bytesToHex(rootOfLeaves(leaves)), {
      ...{ version: 4, rules: 4, slots: 2, as_table: null },
      vantages: vantageSeeds.map((seed) => bytesToHex(ed25519.getPublicKey(seed))).sort(),
    }),
    ...makeVotes(),
    rewards: makeRewardVectors(),
  };
}

type Made = { receipt: Receipt; text: string; hash: string; signature: string };

function makeReceipts(): Made[] {
  const made: Made[] = [];
  const probe = { kind: 'probe' as const, node_key: nodeKey, endpoint, payout_address: payoutAddress };
  const nobody = { kind: 'outage' as const, node_key: null, endpoint: null, payout_address: null };
  const seen = {
    start_height: 812_345,
    lag: 0,
    protocol_version: 70_016,
    services: '409',
    user_agent: '/Coin:1.4.0/',
    endpoint_proven: false,
    block_height: 401_877,
    block_hash: network,
    ping_ms: 38,
  };
  const at = (slot: number, ms: number) => writeTime(FIRST_SLOT_MS + slot * SLOT_MS + ms);
  const add = (
    slot: number,
    count: number,
    rest: Pick<Receipt, 'verdict' | 'reason' | 'attempts' | 'observed'> & (typeof probe | typeof nobody),
  ) => {
    const receipt: Receipt = {
      type: 'node-receipt',
      version: 1,
      network,
      registry_key: registryKey,
      sequence: made.length,
      previous_hash: made.at(-1)?.hash ?? FIRST_PREVIOUS_HASH,
      epoch: 5_641,
      height: 812_345,
      block_hash: network,
      issued_at: at(slot + count, 112),
      slots: { from: at(slot, 0), to: at(slot + count, 0), count },
      ...rest,
    };
    const text = writeRegistryText(receipt);
    const hash = hashRegistryText(text);
    made.push({ receipt, text, hash, signature: sign(writeSignedText(receipt.type, hash), registrySeed) });
  };
  const failed = (ms: number) => ({ at: at(1, ms), result: 'fail' as const, reason: 'unreachable' });
  add(0, 1, {
    ...probe,
    verdict: 'pass',
    reason: null,
    attempts: [{ at: at(0, 217_345), result: 'pass', reason: null }],
    observed: seen,
  });
  add(1, 1, {
    ...probe,
    verdict: 'fail',
    reason: 'unreachable',
    attempts: [failed(31_177), failed(402_009)],
    observed: null,
  });
  add(2, 6, { ...nobody, verdict: 'void', reason: 'registry_down', attempts: [], observed: null });
  return made;
}

/** Statements of a slot in which the registry could not reach the node, and others could; and what receipts make of them. */
function makeVotes() {
  const slot = { from: writeTime(FIRST_SLOT_MS), to: writeTime(FIRST_SLOT_MS + SLOT_MS) };
  const token = endpointTokenOf({ registryKey, genesisHash: network, nodeKey, payoutAddress });
  const at = writeTime(FIRST_SLOT_MS + 402_009);
  const gone: NodeLook = { endpoint, at, result: 'fail', reason: 'unreachable', lag: null, tokens: [] };
  const there: NodeLook = { endpoint, at, result: 'pass', reason: null, lag: 0, tokens: [token] };
  const state = (seed: Uint8Array, looks: NodeLook[]): SignedLooks & { text: string } => {
    const statement: NodeLooks = {
      ...{ type: 'node-looks', version: 1, network, slot, height: 812_345, block_hash: network, looks },
      ...{
        registry_key: bytesToHex(ed25519.getPublicKey(seed)),
        issued_at: writeTime(FIRST_SLOT_MS + SLOT_MS + 7),
      },
    };
    const text = writeRegistryText(statement);
    const hash = hashRegistryText(text);
    return { statement, text, hash, signature: sign(writeSignedText(statement.type, hash), seed) };
  };
  const [first, second, third] = vantageSeeds as [Uint8Array, Uint8Array, Uint8Array];
  const own = state(registrySeed, [gone]);
  const elsewhere = { ...there, endpoint: '198.51.100.9:19444' };
  const [seen, alike, unseen] = [state(first, [there]), state(second, [there]), state(third, [elsewhere])];
  const other = state(second, [gone]);
  const receiptOf = (statements: readonly SignedLooks[]) => {
    const keys = [registrySeed, ...vantageSeeds].map((seed) => bytesToHex(ed25519.getPublicKey(seed))).sort();
    const votes = keys.map((key) => {
      const held = statements.filter(({ statement }) => statement.registry_key === key);
      const ready = held.map(({ hash, statement }) => ({
        hash,
        find: (each: string) => findLook(statement, each),
      }));
      return readVote(key, ready, { endpoint, token });
    });
    const voted = judgeVotes(votes, registryKey);
    const { verdict, reason } = voted ?? { verdict: 'fail' as const, reason: 'unreachable' };
    const nothing = {
      start_height: null,
      lag: null,
      protocol_version: null,
      services: null,
      user_agent: null,
    };
    const receipt: Receipt = {
      ...{ type: 'node-receipt', version: 2, network, registry_key: registryKey, sequence: 0 },
      ...{ previous_hash: FIRST_PREVIOUS_HASH, epoch: 5_641, height: 812_345, block_hash: network },
      ...{ issued_at: writeTime(FIRST_SLOT_MS + SLOT_MS + 30_112), slots: { ...slot, count: 1 } },
      ...{ kind: 'probe', node_key: nodeKey, endpoint, payout_address: payoutAddress, verdict, reason },
      attempts: [31_177, 402_009].map((ms) => ({
        ...{ at: writeTime(FIRST_SLOT_MS + ms), result: 'fail', reason: 'unreachable' },
      })),
      observed:
        verdict === 'pass'
          ? {
              ...nothing,
              endpoint_proven: voted!.proven,
              block_height: null,
              block_hash: null,
              ping_ms: null,
            }
          : null,
      votes,
    };
    const text = writeRegistryText(receipt);
    const hash = hashRegistryText(text);
    return { receipt, text, hash, signature: sign(writeSignedText(receipt.type, hash), registrySeed) };
  };
  return {
    looks: [own, seen, alike, unseen, other],
    voted_receipts: [
      // The majority; too few, as one says two things; nobody else at all.
      receiptOf([own, seen, alike, unseen]),
      receiptOf([own, seen, alike, other, unseen]),
      receiptOf([own]),
    ],
  };
}

function makeAlerts() {
  return ['https://owner.example/alerts', null].map((url) => {
    const issuedAtMs = Date.UTC(2026, 10, 20, 12, 30);
    const about = { domain: 'coin.example', registryKey, genesisHash: network, nodeKey, url, issuedAtMs };
    const text = writeAlertText(about);
    return { ...(toJson(about) as object), text, signature: sign(text, nodeSeed) };
  });
}

function makeEpoch(
  receipts: readonly Made[],
  root: string,
  rules: Pick<EpochSummary, 'version' | 'rules' | 'slots' | 'as_table' | 'vantages'>,
) {
  const summary: EpochSummary = {
    type: 'node-epoch',
    ...rules,
    network,
    registry_key: registryKey,
    epoch: 5_641,
    first_sequence: 0,
    last_sequence: receipts.length - 1,
    receipts: receipts.length,
    merkle_root: root,
    last_hash: receipts.at(-1)!.hash,
    closed_at: writeTime(FIRST_SLOT_MS + 80 * SLOT_MS),
  };
  const text = writeRegistryText(summary);
  const hash = hashRegistryText(text);
  return { summary, text, hash, signature: sign(writeSignedText(summary.type, hash), registrySeed) };
}
