import type { Locator } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { readScreenshot } from './read-png.ts';

/** What a telephone reads of a QR code as it is drawn. */
export async function scanQrCode(code: Locator): Promise<string> {
  return decodeQR(readScreenshot(await code.screenshot()));
}
