import { useEffect, useState } from 'preact/hooks';

/** A number that changes with the colours of the page: what is drawn into a canvas is drawn again then. */
export function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const redraw = () => setTheme((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('theme', redraw);
    system.addEventListener('change', redraw);
    return () => {
      removeEventListener('theme', redraw);
      system.removeEventListener('change', redraw);
    };
  }, []);
  return theme;
}
