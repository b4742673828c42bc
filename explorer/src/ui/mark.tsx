/** A state in one word; its colour says nothing that the word does not. */
export function Mark({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'done' | 'warning' | 'failed' | 'moving';
  children: string;
}) {
  return <span class={`mark ${tone}`}>{children}</span>;
}
