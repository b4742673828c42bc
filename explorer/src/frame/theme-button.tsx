import { useState } from 'preact/hooks';
import { t } from '../language/messages.ts';

const YEAR_SECONDS = 31_536_000;

/** Light or dark against what the system says; kept in a cookie, so that the next page is right from its first paint. */
export function ThemeButton() {
  const [isDark, setIsDark] = useState(looksDark);
  const label = t(isDark ? 'Light colours' : 'Dark colours');
  return (
    <button
      type="button"
      class="theme"
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => {
        const next = !isDark;
        choose(currentTarget.ownerDocument, next);
        setIsDark(next);
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.500v11a5.500 5.500 0 0 1 0-11z" />
      </svg>
    </button>
  );
}

function looksDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** The cookie store is not in every browser, and nowhere on plain http, so the cookie is written the older way. */
function choose(page: Document, isDark: boolean): void {
  const theme = isDark ? 'dark' : 'light';
  page.documentElement.dataset.theme = theme;
  const isSystems = matchMedia('(prefers-color-scheme: dark)').matches === isDark;
  page.cookie = `theme=${theme}; Path=/; SameSite=Lax; Max-Age=${isSystems ? 0 : YEAR_SECONDS}`;
  dispatchEvent(new Event('theme'));
}
