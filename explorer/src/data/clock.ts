import { createStore } from './store.ts';

/** The present time for all that counts it, Unix milliseconds; it stands still in a hidden tab. */
export const clock = createStore(Date.now());

setInterval(() => {
  if (!document.hidden) clock.set(Date.now());
}, 1_000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) clock.set(Date.now());
});
