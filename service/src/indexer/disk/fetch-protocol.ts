/**
 * What threads that fetch bytes are told, and what they answer, as numbers one behind the other:
 *
 * | message | numbers |
 * |---|---|
 * | order | its own number, then of each stretch: file descriptor, offset, length |
 * | begun | {@link BEGUN} |
 * | answer | number of the order, then of each stretch the milliseconds it took, NaN where they say nothing about the disk |
 */
export type FetchMessage = Float64Array<ArrayBuffer>;

/** What a thread is told when it is started. */
export type FetchWorkerData = {
  /** Where its reads take longer on average, the disk is asked for all of an order at once, by Node's pool. */
  readonly farMs: number;
};

/** What a thread says when it takes orders, in place of the number of one. */
export const BEGUN = 0;
/** Numbers of one stretch in an order. */
export const STRETCH_NUMBERS = 3;
