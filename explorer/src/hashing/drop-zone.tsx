import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** Takes one file, by drop or by the system's dialog. */
export function DropZone({
  label,
  accept,
  problem,
  onFile,
  children,
}: {
  /** Of the input, for those who do not see what is around it. */
  label: string;
  /** Endings that the dialog offers; any unless given. */
  accept?: string;
  /** Why the last file was not taken; empty where it was. */
  problem: string;
  onFile: (file: File) => void;
  /** What is shown within; `open` opens the dialog. */
  children: (open: () => void) => ComponentChildren;
}) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | null | undefined): void => {
    if (file) onFile(file);
  };
  return (
    <fieldset
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <span role="status" class="quiet">
        {problem}
      </span>
    </fieldset>
  );
}
