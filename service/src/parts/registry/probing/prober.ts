/** Looks at all registered nodes, slot after slot. Of all processes that could, one does. */

import { randomBytes } from 'node:crypto';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { endpointTokenOf } from '@coinfront/protocol/registry/endpoint-token.ts';
import type { Precious } from '../../../db/precious.ts';
import type { NameServers } from '../../../outbound/resolve-host.ts';
import { pause } from '../../../pause.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import { openEpochLog } from '../log/epoch-log.ts';
import type { LogMoment } from '../log/receipt-log.ts';
import { findLastReceipt } from '../log/receipt-store.ts';
import { listNodes, placeOf } from '../nodes/node-store.ts';
import { nodeBounds } from '../registry-bounds.ts';
import type { RegistryRules } from '../registry-context.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import type { Vantage } from '../vantage/vantage.ts';
import { takeBackFuture } from './clock-repair.ts';
import { type ActiveNode, lookAtAll, lookAtOthers } from './look-at-all.ts';
import type { OwnChain } from './own-chain.ts';
import { createPlaces } from './places.ts';
import { findProber, holdLease, LeaseLostError, releaseLease, saveOwnState } from './prober-store.ts';
import { recordOutage } from './record-outage.ts';
import { type RecordOptions, recordSlot } from './record-slot.ts';
import type { LookedNode } from './settle-move.ts';
import { isFuture, nextSlot } from './slot-rules.ts';

export type Prober = { stop(): Promise<void> };

export type ProberOptions = {
  precious: Precious;
  chain: OwnChain;
  profile: Pick<CoinProfile, 'genesisHash'>;
  rules: RegistryRules;
  signer: ServiceSigner;
  /** Whether nodes can be registered. Where they cannot, nothing is done until one is there. */
  isOpen: boolean;
  /** Connections that may be open at once. */
  connections: number;
  nameServers: NameServers;
  /** Undefined where nobody else is asked. */
  vantage: Vantage | undefined;
  /** How the prober calls itself to nodes. */
  userAgent: string;
  now: () => number;
  /** Something failed; it is tried again. */
  onError: (error: unknown) => void;
};

const LEASE_MS = 8_000;
const HEARTBEAT_MS = 2_000;
const RETRY_MS = 5_000;
const IDLE_MS = 60_000;

/** Starts it. What it has seen of a slot that it does not finish is not written: that slot is void. */
export function startProber(options: ProberOptions): Prober {
  const { precious, now, onError, rules, signer, profile } = options;
  const stopping = new AbortController();
  const holder = randomBytes(16).toString('hex');
  const record: RecordOptions = {
    precious,
    holder,
    slotMs: rules.slotMs,
    log: {
      signer,
      genesisHash: profile.genesisHash,
      epochBlocks: rules.epochBlocks,
      reward: rules.reward,
      asTable: rules.asTable,
      vantages: options.vantage?.keys ?? [],
    },
  };

  const takeLease = (takeOver: boolean): Promise<boolean> => {
    const nowMs = now();
    return holdLease(precious.query<RegistryTables>(), {
      holder,
      registryKey: signer.publicKey,
      epochBlocks: rules.epochBlocks,
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      takeOver,
    });
  };

  const hasNoNode = async (): Promise<boolean> => {
    const first = { state: undefined, afterKey: undefined, limit: 1 };
    return (await listNodes(precious.query<RegistryTables>(), first)).length === 0;
  };

  const run = async (): Promise<void> => {
    let isFirst = true;
    while (!stopping.signal.aborted) {
      try {
        if (!options.isOpen && (await hasNoNode())) {
          await pause(IDLE_MS, stopping.signal);
          continue;
        }
        await checkEpochLength(options);
        if (await takeLease(isFirst && precious.engine === 'sqlite')) {
          isFirst = false;
          await openEpochLog(precious, signer, now());
          await runWhileHeld();
        }
        await pause(HEARTBEAT_MS, stopping.signal);
      } catch (error) {
        if (!(error instanceof LeaseLostError)) onError(error);
        await pause(RETRY_MS, stopping.signal);
      }
    }
    await releaseLease(precious.query<RegistryTables>(), holder, now()).catch(() => {});
  };

  /** Slot after slot, until the lease is lost or the process ends. */
  const runWhileHeld = async (): Promise<void> => {
    const losing = new AbortController();
    const signal = AbortSignal.any([stopping.signal, losing.signal]);
    const beating = beat(losing, signal);
    try {
      while (!signal.aborted) await runNextSlot(options, record, signal);
    } finally {
      losing.abort();
      await beating;
    }
  };

  /** Renews the lease and says how our own node is, so that everybody can see it. */
  const beat = async (losing: AbortController, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        if (!(await takeLease(false))) losing.abort();
        await saveOwnState(precious.query<RegistryTables>(), holder, await options.chain.findState(false));
      } catch (error) {
        onError(error);
      }
      await pause(HEARTBEAT_MS, signal);
    }
  };

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Epochs are numbered by their length: with another one numbers would come twice, or never. */
async function checkEpochLength({ precious, rules }: ProberOptions): Promise<void> {
  const query = precious.query<RegistryTables>();
  const before = await findProber(query);
  if (before === undefined || before.epoch_blocks === rules.epochBlocks) return;
  if ((await findLastReceipt(query)) === undefined) return;
  throw new Error(
    `The registry has receipts in epochs of ${before.epoch_blocks} blocks; COINFRONT_REGISTRY_EPOCH_BLOCKS says ` +
      `${rules.epochBlocks}. Set it back: nodes are not looked at meanwhile.`,
  );
}

async function runNextSlot(
  options: ProberOptions,
  record: RecordOptions,
  signal: AbortSignal,
): Promise<void> {
  const { precious, now, rules, vantage } = options;
  const slot = nextSlot(now(), rules.slotMs);
  const waitUntil = (timeMs: number) => pause(Math.min(timeMs - now(), rules.slotMs), signal);
  await waitUntil(slot.startMs);
  if (signal.aborted || isFuture(slot, now())) return;
  const moment = await findMoment(options);
  // Without a chain nothing can be dated, and nothing judged.
  if (moment === undefined) return await waitUntil(slot.endMs);
  await takeBackFuture(record, slot, (await findProber(precious.query<RegistryTables>()))?.slot_end ?? null);
  const doneMs = (await findProber(precious.query<RegistryTables>()))?.slot_end ?? null;
  if (doneMs === null || doneMs < slot.startMs) {
    const span = { startMs: doneMs ?? slot.startMs, endMs: slot.startMs };
    await recordOutage(record, span, moment);
  }
  const active = await listActive(options);
  const nodes = active.filter(
    ({ row }) => row.next_look_at <= slot.startMs && (row.judged_until ?? 0) <= slot.startMs,
  );
  const places = createPlaces(active);
  const others =
    vantage?.listOthers(
      active.map(({ row }) => ({ ...row, endpoint: placeOf(row) })),
      slot,
    ) ?? [];
  const [looks, otherLooks] = await Promise.all([
    lookAtAll(options, { slot, nodes, places }, signal),
    lookAtOthers(options, { slot, others, places }, signal),
  ]);
  await waitUntil(slot.endMs);
  if (signal.aborted || isFuture(slot, now())) return;
  const seen = {
    looked: nodes.map(
      ({ row, token }): LookedNode => ({ node: row, token, looks: looks.get(row.node_key) ?? [] }),
    ),
    others: others.map((node) => ({ node, looks: otherLooks.get(node.endpoint) ?? [] })),
  };
  const ending = (await findMoment(options)) ?? moment;
  const ballot = await vantage?.hold(record.holder, slot, ending, seen, signal);
  // Who is stopped meanwhile has not heard everybody.
  if (ballot !== undefined && signal.aborted) return;
  const written = ballot === undefined ? ending : ((await findMoment(options)) ?? ending);
  await recordSlot(record, slot, written, seen.looked, ballot && { others: seen.others, ballot });
}

/** All nodes that are looked at. */
async function listActive({ precious, profile, signer }: ProberOptions): Promise<ActiveNode[]> {
  const rows = await listNodes(precious.query<RegistryTables>(), {
    state: 'active',
    afterKey: undefined,
    limit: nodeBounds.all,
  });
  return rows.map((row) => ({
    row,
    token: endpointTokenOf({
      registryKey: signer.publicKey,
      genesisHash: profile.genesisHash,
      nodeKey: row.node_key,
      payoutAddress: row.payout_address,
    }),
  }));
}

async function findMoment({ chain, now }: ProberOptions): Promise<LogMoment | undefined> {
  const tip = await chain.findTip();
  return tip && { nowMs: now(), ...tip };
}
