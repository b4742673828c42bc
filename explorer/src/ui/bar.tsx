/** How full something is, from 0 to 1; the figure stands beside it or in its label. */
export function Bar({ share, label, broad }: { share: number; label: string; broad?: boolean }) {
  const percent = Math.max(0, Math.min(1, share)) * 100;
  return (
    <span class={broad === true ? 'bar broad' : 'bar'} role="img" aria-label={label} title={label}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
