import { BatchAnswer, BatchBody, batchLimits } from '@coinfront/api/chain-batch.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { BatchReadInput, FoundRead } from '../../http/batch-reads.ts';
import { registerCall } from '../../http/call-route.ts';
import { readCharged } from '../../http/charged-read.ts';
import { buildProblem } from '../../http/problem.ts';
import { notReady } from '../../http/read-route.ts';
import { waitForPlace } from '../../http/request-place.ts';
import { unitsOfRows, unitsToReserve } from '../../http/row-cost.ts';
import { createSlices } from '../../http/slices.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { type ChainContext, chainPrefix } from './chain-context.ts';
import { batchExamples } from './examples-batch.ts';

/** What a path begins with that is of another part, such as names. */
const apiPrefix = '/api/';
/** JSON around a path, its escapes included. */
const bytesAround = 64;

/** `/batch`. */
export function registerBatchRoute(app: FastifyInstance, context: ChainContext): void {
  const { readChain, nameSnapshot, rateLimitPerMinute = Number.POSITIVE_INFINITY } = context;

  registerCall(app, {
    method: 'POST',
    path: '/batch',
    body: BatchBody,
    bodyLimit: batchLimits.reads * (batchLimits.pathLength + bytesAround),
    response: BatchAnswer,
    cache: 'none',
    operation: {
      document: 'chain',
      id: 'readBatch',
      tag: 'Network',
      summary: 'Many reads in one request, from one snapshot',
      description:
        `Up to ${batchLimits.reads} GETs below /api/v1, and of names, whose answers are JSON read from the chain. Each answer is what ` +
        'the read would get by itself, errors included; all are of the same tip and mempool. Costs half of the request ' +
        `units of its reads, at least 1. All answers together have ${batchLimits.answersLength / 2 ** 20} MiB at most: from ` +
        'the first that would not fit on, reads are answered with `read_too_large`, and can be asked for again.',
      errors: [],
      namesSnapshot: true,
      bodyExample: batchExamples.body,
      example: batchExamples.answer,
    },
    async call({ body, request, reply }) {
      const wanted = body.reads.map((path) => findRead(app, path));
      const reserved = costOf(wanted.map(({ read }) => (read === undefined ? 1 : unitsToReserve(read.cost))));
      if (reserved > rateLimitPerMinute) {
        const detail = `These reads cost up to ${reserved} request units; a client has ${rateLimitPerMinute} a minute. Ask for fewer.`;
        throw new AppError('invalid_body', detail);
      }
      // One was taken before the body was read.
      if (reserved > 1) app.admission.take(request, reply, reserved - 1);
      const leave = await waitForPlace(app.batchPlaces, request);
      try {
        return await readCharged(app, request, readChain, async (view, charge) => {
          const { tip } = view;
          if (tip === undefined) throw notReady();
          const { answers, units } = await answerAll(app, request, { view, tip, charge }, wanted);
          app.admission.settle(request, reply, reserved, costOf(units));
          const names = nameSnapshot(tip, view.mempool.version);
          reply.header('x-chain-height', names.height).header('x-chain-tip', names.tip);
          return {
            writtenJson: `{"as_of":${JSON.stringify(describeAsOf(tip))},"answers":[${answers.join(',')}]}`,
          };
        });
      } finally {
        leave();
      }
    },
  });
}

/** One read of a batch; without `read` its path leads to none. */
type WantedRead = { path: string; read: FoundRead | undefined };

function findRead(app: FastifyInstance, path: string): WantedRead {
  // The look at the body does not see what is percent-encoded.
  app.keyGuard.checkUrl(path);
  return { path, read: app.batchReads.find(path.startsWith(apiPrefix) ? path : chainPrefix + path) };
}

/** What reads cost together that have no request each. */
function costOf(units: readonly number[]): number {
  return Math.max(1, Math.ceil(units.reduce((sum, each) => sum + each, 0) / 2));
}

/** Answers reads one after the other, a slice of work at a time; gives each answer as JSON, and its units. */
async function answerAll(
  app: FastifyInstance,
  request: FastifyRequest,
  input: Pick<BatchReadInput, 'view' | 'tip' | 'charge'>,
  wanted: readonly WantedRead[],
): Promise<{ answers: string[]; units: number[] }> {
  const answers: string[] = [];
  const units: number[] = [];
  let length = 0;
  let isFull = false;
  const giveWay = createSlices(app.takeTurn, request);
  for (const { path, read } of wanted) {
    await giveWay();
    let rows = 0;
    const countRows = (found: number): void => {
      rows = found;
    };
    let answer: string = isFull ? '' : await answerOne(request, path, read, { ...input, countRows });
    isFull ||= length + answer.length > batchLimits.answersLength;
    // Nothing more is read of which it is not known that it fits.
    if (isFull) answer = writeFailure(tooLarge(), request);
    length += answer.length;
    answers.push(answer);
    const cost = read?.cost ?? 1;
    units.push(typeof cost === 'number' ? cost : unitsOfRows(cost, rows));
  }
  return { answers, units };
}

async function answerOne(
  request: FastifyRequest,
  path: string,
  read: FoundRead | undefined,
  input: BatchReadInput,
): Promise<string> {
  try {
    if (read === undefined) throw noSuchRead(path);
    return `{"status":200,"body":${JSON.stringify(await read.run(input))}}`;
  } catch (error) {
    // What is wrong here, and not with one of the reads, is wrong with all of them.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return writeFailure(error, request);
  }
}

function writeFailure(error: AppError, request: FastifyRequest): string {
  return `{"status":${error.status},"body":${JSON.stringify(buildProblem(error, request.id))}}`;
}

function noSuchRead(path: string): AppError {
  const detail = `No read of the chain with an answer in JSON is at ${quoteReceived(path)} below ${chainPrefix}.`;
  return new AppError('route_not_found', detail);
}

function tooLarge(): AppError {
  const detail = `All answers of a batch have ${batchLimits.answersLength} characters at most. Ask for this one again, by itself if it is as large.`;
  return new AppError('read_too_large', detail);
}
