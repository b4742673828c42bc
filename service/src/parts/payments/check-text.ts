import { AppError } from '../../errors.ts';

/**
 * A text that people will read.
 *
 * @param field its name in the body
 * @throws AppError `invalid_body` when it is no valid Unicode, or holds characters that cannot be shown
 */
export function checkText(field: string, text: string): string {
  if (isPlainText(text)) return text;
  throw new AppError('invalid_body', `"${field}" is not valid Unicode text, or holds control characters.`);
}

/** Whether a text is valid Unicode without control characters. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
