import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t, type Words } from '../language/messages.ts';

/** What is made, and reads what it shows, only while it is open. */
export function Unfold({ summary, children }: { summary: Words; children: ComponentChildren }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t(summary)}</summary>
      {isOpen && children}
    </details>
  );
}
