/**
 * Tells the process that started this one where the API listens, if it gave us a channel to be told on. Only this word says
 * so: what answers on our port before it may be somebody else's server.
 */
export function tellStarter(address: string): void {
  // A starter that is gone needs no word.
  process.send?.({ listening: address }, undefined, undefined, () => {});
}
