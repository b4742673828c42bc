import { EsploraDifficulty, type EsploraDifficultyJson } from '@coinfront/api/esplora.ts';
import { difficultyOfBits } from '@coinfront/protocol/work.ts';
import type { FastifyInstance } from 'fastify';
import { type BlockRecord, getBlockAt, readHeaderFields } from '../../chain/chain-reads.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describeOfMempoolSpace } from './route-kit.ts';

/** Blocks of a period, by Bitcoin's rule. */
const periodLength = 2_016;

/** The clock of the answer moves in such steps, so that who has it is not sent it again. */
const clockStepMs = 10_000;

/** `/v1/difficulty-adjustment`. */
export function registerDifficultyRoute(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/v1/difficulty-adjustment',
    dependsOn: 'volatile',
    response: EsploraDifficulty,
    operation: describeOfMempoolSpace(
      'difficultyAdjustment',
      'How far the period of the difficulty is; not found where the difficulty changed within it',
      ['block_not_found'],
      esploraExamples.difficulty,
    ),
    async read({ view, tip }) {
      const first = tip.height - (tip.height % periodLength);
      const start = await getBlockAt(view, first);
      const middle = await getBlockAt(view, first + Math.floor((tip.height - first) / 2));
      if (new Set([start, middle, tip].map(bitsOf)).size > 1) {
        const detail = `The difficulty of this chain is not adjusted every ${periodLength} blocks.`;
        throw new AppError('block_not_found', detail);
      }
      const before = first === 0 ? undefined : await getBlockAt(view, first - 1);
      const nowMs = Math.floor(Date.now() / clockStepMs) * clockStepMs;
      return describeAdjustment(start, tip, before, context.profile.blockIntervalSeconds, nowMs);
    },
  });
}

/** What the blocks of a period say of its end; `before` is the last one of the period below. */
export function describeAdjustment(
  start: BlockRecord,
  tip: BlockRecord,
  before: BlockRecord | undefined,
  intervalSeconds: number,
  nowMs: number,
): EsploraDifficultyJson {
  const inPeriod = tip.height - start.height;
  const remainingBlocks = periodLength - inPeriod;
  const elapsed = Math.max(0, nowMs / 1000 - start.time);
  const average = inPeriod === 0 ? intervalSeconds : elapsed / inPeriod;
  const expected = elapsed / intervalSeconds;
  const change = inPeriod === 0 ? 0 : (inPeriod / Math.max(expected, inPeriod / 1e6) - 1) * 100;
  const remainingSeconds = remainingBlocks * average;
  return {
    progressPercent: (inPeriod / periodLength) * 100,
    // The rule lets it change by a factor of four.
    difficultyChange: Math.min(300, Math.max(-75, change)),
    estimatedRetargetDate: Math.round(nowMs + remainingSeconds * 1000),
    remainingBlocks,
    remainingTime: Math.round(remainingSeconds * 1000),
    previousRetarget:
      before === undefined
        ? 0
        : (difficultyOfBits(bitsOf(start)) / difficultyOfBits(bitsOf(before)) - 1) * 100,
    previousTime: start.time,
    nextRetargetHeight: tip.height + remainingBlocks,
    timeAvg: Math.round(average * 1000),
    adjustedTimeAvg: Math.round(average * 1000),
    timeOffset: 0,
    expectedBlocks: expected,
  };
}

function bitsOf({ header }: BlockRecord): number {
  return readHeaderFields(header).bits;
}
