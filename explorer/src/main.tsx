import { render } from 'preact';
import { App } from './app.tsx';
import { readCoin } from './data/coin.ts';
import { startPulse } from './data/pulse.ts';
import { startRouter } from './router.tsx';

const root = document.getElementById('app');
if (root !== null) {
  startRouter();
  await readCoin();
  startPulse();
  root.replaceChildren();
  render(<App />, root);
}
