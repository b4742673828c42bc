import { clientError } from './error.ts';

/**
 * Reads the body of an answer, up to a size.
 *
 * @throws CoinfrontError `answer_too_large`
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      // What is not read would otherwise go on arriving.
      reader.cancel().catch(() => {});
      const detail = `The answer is larger than ${maxBytes} bytes.`;
      throw clientError('answer_too_large', detail, { status: response.status });
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
