// Keeps the page of a payment up to date. It asks the API whether anything has changed, which costs next to nothing while
// nothing has, and when something has takes the changed parts from the page as the server renders it now.

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const connection = /** @type {HTMLElement} */ (document.getElementById('connection'));
const parts = [...main.querySelectorAll('.part')];
/** As the server rendered it, so that what was done to it here does not count as a change. */
const shown = new Map(parts.map((part) => [part.id, part.innerHTML]));

const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 60_000;
const COPIED_MS = 2_000;
/** Server's clock minus ours: the buyer's clock may be wrong. */
let clockAheadMs = Number(main.dataset.now) - Date.now();
/** The reader's own way of writing times, if it is of the page's language. */
const locale =
  navigator.languages.find((each) => each.startsWith(document.documentElement.lang)) ??
  document.documentElement.lang;
let etag = '';
let failures = 0;
let lastAnswerAtMs = Date.now();
let isAsking = false;
/** @type {number | undefined} */
let timer;

document.documentElement.classList.add('scripted');
localiseTimes();
count();
setInterval(count, 1_000);
plan();
document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : ask()));
window.addEventListener('online', () => ask());
window.addEventListener('offline', () => showConnection(true));
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button');
  if (!button) return;
  if (button.id === 'print') window.print();
  else if ('copy' in button.dataset) void copy(button);
});

/** Asks once: what fails is tried again later, and said. */
async function ask() {
  clearTimeout(timer);
  if (isAsking || isFinal() || document.hidden) return;
  isAsking = true;
  let pauseMs = 0;
  try {
    const answer = await get(
      /** @type {string} */ (main.dataset.source),
      etag ? { 'if-none-match': etag } : {},
    );
    if (answer.status === 200) {
      const payment = await answer.json();
      const version = `${payment.sequence} ${payment.updated_at} ${payment.as_of?.hash ?? ''}`;
      if (version !== main.dataset.version) await refresh();
      etag = answer.headers.get('etag') ?? '';
    } else if (answer.status !== 304) {
      pauseMs = Number(answer.headers.get('retry-after')) * 1_000 || 0;
      throw new Error(`HTTP ${answer.status}`);
    }
    failures = 0;
    lastAnswerAtMs = Date.now();
    showConnection(false);
  } catch {
    failures += 1;
    // One lost answer is nothing to worry anybody with.
    if (failures > 1) showConnection(true);
  } finally {
    isAsking = false;
    plan(pauseMs);
  }
}

/** Whether nothing can change any more. */
function isFinal() {
  return main.dataset.final === 'true';
}

/** Plans the next question: later and later after failures, none when nothing can change any more. */
function plan(atLeastMs = 0) {
  clearTimeout(timer);
  if (document.hidden || isFinal()) return;
  const everyMs = Number(main.dataset.every) || LONGEST_PAUSE_MS;
  const pauseMs = failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS);
  timer = setTimeout(ask, Math.max(pauseMs, Math.min(atLeastMs, LONGEST_PAUSE_MS)));
}

/** Takes what has changed from the page as it is now. */
async function refresh() {
  const answer = await get(location.pathname + location.search, {});
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('main');
  if (fresh === null) throw new Error('This is not the page of a payment.');
  const focusedId = document.activeElement?.id;
  for (const part of parts) {
    const source = page.getElementById(part.id);
    if (source === null || source.innerHTML === shown.get(part.id)) continue;
    shown.set(part.id, source.innerHTML);
    const chosenId = part.querySelector('input:checked')?.id;
    part.replaceChildren(...source.childNodes);
    const chosen = chosenId && document.getElementById(chosenId);
    if (chosen instanceof HTMLInputElement) chosen.checked = true;
  }
  for (const [name, value] of Object.entries(fresh.dataset)) main.dataset[name] = value;
  document.title = page.title;
  clockAheadMs = Number(fresh.dataset.now) - Date.now();
  if (focusedId && document.activeElement?.id !== focusedId) document.getElementById(focusedId)?.focus();
  localiseTimes();
  count();
}

/**
 * @param {string} path
 * @param {Record<string, string>} headers
 */
function get(path, headers) {
  return fetch(path, { headers, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** Writes how much time is left; when none is, the server says what that means. */
function count() {
  const countdown = document.getElementById('countdown');
  const deadlineMs = Number(main.dataset.deadline);
  if (countdown === null || !deadlineMs) return;
  const leftMs = deadlineMs - (Date.now() + clockAheadMs);
  countdown.textContent = leftMs > 0 ? say('left', writeDuration(leftMs)) : say('noneLeft');
  if (leftMs > 0 || main.dataset.asked === main.dataset.deadline) return;
  main.dataset.asked = main.dataset.deadline;
  refresh().catch(() => {});
}

/** @param {number} ms */
function writeDuration(ms) {
  const seconds = Math.floor(ms / 1_000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} ${say('days')} ${hours} ${say('hours')}`;
  const clock = `${String(minutes).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}

/**
 * What the page says, in its language.
 *
 * @param {string} name
 * @param {string} time
 */
function say(name, time = '') {
  return JSON.parse(main.dataset.words ?? '{}')[name].replace('{time}', time);
}

function localiseTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (main.querySelectorAll('time.local'))) {
    time.textContent = new Date(time.dateTime).toLocaleString(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
  }
}

/** @param {boolean} isLost */
function showConnection(isLost) {
  connection.hidden = !isLost;
  const text = isLost ? say('offline', new Date(lastAnswerAtMs).toLocaleTimeString(locale)) : '';
  if (connection.textContent !== text) connection.textContent = text;
}

/** @param {HTMLElement} button */
async function copy(button) {
  let said = say('copied');
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? '');
  } catch {
    said = say(select(button) ? 'selected' : 'notAllowed');
  }
  button.textContent = said;
  setTimeout(() => {
    button.textContent = say('copy');
  }, COPIED_MS);
}

/**
 * Where the clipboard is not allowed, as on plain http, the text is at least selected.
 *
 * @param {HTMLElement} button
 */
function select(button) {
  const text = button.parentElement?.querySelector('.number');
  if (!text) return false;
  getSelection()?.selectAllChildren(text);
  return true;
}
