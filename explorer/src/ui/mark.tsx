import type { Told } from '../language/messages.ts';

/** A state in one word; its colour says nothing that the word does not. */
export function Mark({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'done' | 'warning' | 'failed' | 'moving';
  children: Told;
}) {
  return <span class={`mark ${tone}`}>{children}</span>;
}
