/**
 * Which of the requests that have come is begun next. In the first milliseconds of a turn of the event loop all are, as they
 * come; after that one of each client in turn, so that who sends hundreds at once waits for itself.
 */

import type { Client } from '../clients/client.ts';

/** Milliseconds in a turn of the event loop in which requests are begun. */
const roundMs = 2;
/** Requests that are begun in a turn besides those that come in it. */
const mostOfRound = 32;

/** Begins a request now or later; `getClient` is called where it has to wait. */
export type BeginFairly = (getClient: () => Client, begin: () => void) => void;

/** Creates the order of a server; `now` is a clock in milliseconds. */
export function createFairTurns(now: () => number = () => performance.now()): BeginFairly {
  /** By client, in the order in which it is their turn. */
  const waiting = new Map<string, (() => void)[]>();
  let roundEndsMs = 0;
  let isRound = false;

  function beginNext(): void {
    if (now() >= roundEndsMs) return;
    const [next] = waiting;
    if (next === undefined) return;
    const [name, begins] = next;
    waiting.delete(name);
    const begin = begins.shift();
    if (begins.length > 0) waiting.set(name, begins);
    begin?.();
  }

  function openRound(): void {
    roundEndsMs = now() + roundMs;
  }

  function closeRound(): void {
    isRound = waiting.size > 0;
    if (!isRound) return;
    setImmediate(openRound);
    // Each in a callback of its own, since what a request awaits comes about only between two.
    for (let i = 0; i < mostOfRound; i++) setImmediate(beginNext);
    setImmediate(closeRound);
  }

  return (getClient, begin) => {
    if (!isRound) {
      isRound = true;
      openRound();
      setImmediate(closeRound);
    }
    if (waiting.size === 0 && now() < roundEndsMs) {
      begin();
      return;
    }
    // The widest network: one that holds many addresses has one turn.
    const { name } = getClient().networks.at(-1)!;
    const begins = waiting.get(name);
    if (begins === undefined) waiting.set(name, [begin]);
    else begins.push(begin);
  };
}
