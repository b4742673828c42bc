/** Characters up to which a code on a telephone's screen is still read easily by another telephone. */
const EASY_LENGTH = 300;

/** The payment URI for what is still missing: whoever tops up is not to pay the whole amount again. */
export function askFor(paymentUri: string, amount: string): string {
  return paymentUri.replace(/([?&]amount=)[^&]*/, (_, name: string) => name + amount);
}

/** The URI as a QR code holds it: without its message when that makes it too dense to be read. */
export function shortenForQr(paymentUri: string): string {
  return paymentUri.length <= EASY_LENGTH ? paymentUri : paymentUri.replace(/&message=[^&]*/, '');
}
