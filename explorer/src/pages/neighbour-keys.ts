import { useEffect } from 'preact/hooks';
import { goTo } from '../router.tsx';

/** Goes to neighbours by the arrow keys, where nothing else wants them; undefined where there is none. */
export function useNeighbourKeys(previous: string | undefined, next: string | undefined): void {
  useEffect(() => {
    function follow(event: KeyboardEvent): void {
      const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined;
      if (to === undefined || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const wants = 'input, textarea, select, [contenteditable], [role="listbox"], [role="combobox"]';
      if (event.target instanceof Element && event.target.closest(wants) !== null) return;
      event.preventDefault();
      goTo(to);
    }
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [previous, next]);
}
