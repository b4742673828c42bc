import { render } from 'preact';
import { App } from './app.tsx';
import { readCoin } from './data/coin.ts';
import { whenAllIsDrawn } from './data/pending.ts';
import { startPulse } from './data/pulse.ts';
import { startTimes } from './data/times.ts';
import { startLanguage } from './language/choose-language.ts';
import { language } from './language/messages.ts';
import { resumeScroll, startRouter } from './router.tsx';

/** What has not come by then is waited for in the open. */
const LONGEST_UNSEEN_MS = 1_000;

const root = document.getElementById('app');
if (root !== null) {
  startRouter();
  await Promise.all([readCoin(), startLanguage()]);
  startPulse();
  startTimes();
  // The words that came with the page stay until it is whole: drawn piece by piece it would jump.
  const stage = document.createElement('div');
  stage.className = 'stage';
  root.after(stage);
  render(<App />, stage);
  const timer = setTimeout(show, LONGEST_UNSEEN_MS);
  const stopWaiting = whenAllIsDrawn(show);
  function show(): void {
    clearTimeout(timer);
    stopWaiting();
    root?.remove();
    document.documentElement.lang = language.id;
    stage.className = '';
    stage.id = 'app';
    resumeScroll();
  }
}
