/** What a merchant notes with a payment, its order and metadata: checked, and kept as it was given. */

import { paymentLimits } from '@coinfront/api/payments.ts';
import { AppError } from '../../../errors.ts';
import { parseJsonText } from '../../../json-text.ts';

/** What a merchant notes with a payment, as it is stored. */
export type OrderData = {
  orderId: string | null;
  /** Whether no other payment of the order may be under way. */
  isOrderUnique: boolean;
  /** JSON; see {@link writeMetadata}. */
  metadata: string | null;
};

/** The reviver's third argument: what stood in the text. */
type Source = { source?: string };

/** Of the engine, and not yet of TypeScript's library: numbers that are written as they stood in a text. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

const { orderIdLength, metadata: most } = paymentLimits;

/**
 * Checks what a body says of its order.
 *
 * @throws AppError `invalid_body`
 */
export function checkOrderData(body: {
  order_id?: string | undefined;
  unique_order_id?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
}): OrderData {
  const { order_id: orderId, unique_order_id: isOrderUnique = false, metadata } = body;
  if (isOrderUnique && orderId === undefined) {
    throw new AppError('invalid_body', '"unique_order_id": true needs an "order_id".');
  }
  if (orderId !== undefined && (!orderId.isWellFormed() || [...orderId].length > orderIdLength)) {
    const detail = `"order_id" must be valid Unicode text of 1 to ${orderIdLength} characters.`;
    throw new AppError('invalid_body', detail);
  }
  return {
    orderId: orderId ?? null,
    isOrderUnique,
    metadata: metadata === undefined ? null : writeMetadata(metadata),
  };
}

/**
 * Metadata as they are stored: JSON without white space. Numbers that {@link parseExactly} kept are written as they stood.
 *
 * @throws AppError `invalid_body` when they are too deep, too large, or not Unicode
 */
export function writeMetadata(metadata: Record<string, unknown>): string {
  checkDepth(metadata);
  checkTexts(metadata);
  const text = JSON.stringify(metadata);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= most.bytes) return text;
  const detail = `"metadata" may have ${most.bytes} bytes of JSON without white space, received ${bytes}.`;
  throw new AppError('invalid_body', detail);
}

/** What {@link writeMetadata} wrote, to be written again: JSON of it is the same text. */
export function readMetadata(text: string): Record<string, unknown> {
  const plain = parseJsonText(text);
  return (JSON.stringify(plain) === text ? plain : parseExactly(text)) as Record<string, unknown>;
}

/** Parses JSON so that writing it again gives the numbers as they stood, whatever their digits: 1.0, or 20 of them. */
export function parseExactly(text: string): unknown {
  return parseJsonText(text, keepNumber);
}

function keepNumber(_: string, value: unknown, { source }: Source): unknown {
  const isChanged = typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source;
  return isChanged ? rawJSON(source) : value;
}

/**
 * Checks how deep metadata are, before anything goes through all of them.
 *
 * @throws AppError `invalid_body`
 */
export function checkDepth(metadata: Record<string, unknown>): void {
  let level: unknown[] = [metadata];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most.depth) {
      const detail = `"metadata" may have objects and lists ${most.depth} deep, itself counted; received more.`;
      throw new AppError('invalid_body', detail);
    }
    level = level.flatMap((each) => Object.values(each as object)).filter(isBranch);
  }
}

/** @throws AppError `invalid_body` */
function checkTexts(value: unknown): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new AppError('invalid_body', '"metadata" holds a text that is not valid Unicode.');
  }
  if (!isBranch(value)) return;
  for (const [name, each] of Object.entries(value)) {
    checkTexts(name);
    checkTexts(each);
  }
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}
