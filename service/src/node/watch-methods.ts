import { createBlockSource } from './block-source.ts';
import { listMethodUses, type MethodNeeds, type MethodUse } from './methods.ts';
import { findRefusedMethods } from './refused-methods.ts';
import type { CallOptions, NodeClient } from './rpc-client.ts';

/** Knows which methods the node refuses to this service. */
export type MethodWatch = {
  /** Methods that are refused; undefined until the node could be asked. */
  list(): readonly MethodUse[] | undefined;
  isRefused(method: string): boolean;
  /** The node may be another one, or one with other settings: the next look asks it. */
  forget(): void;
  /** A call was refused: what is known is asked again, unless that was done a moment ago. */
  doubt(): void;
  /**
   * Asks the node where that may tell something new.
   *
   * @throws NodeError when the node cannot be asked
   */
  look(options?: CallOptions): Promise<void>;
};

export type MethodWatchOptions = {
  readonly node: NodeClient;
  readonly needs: Omit<MethodNeeds, 'servesRest'>;
  /** Called at the first answer and when what is refused has changed. */
  readonly onChange: (refused: readonly MethodUse[]) => void;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
};

/**
 * What is missing may be allowed by then, without a restart that was noticed; a node also writes what it forbids to its log,
 * so no more often than this.
 */
const ASK_AGAIN_MS = 60_000;

/** Opens a watch that knows nothing yet. */
export function openMethodWatch({
  node,
  needs,
  onChange,
  now = () => performance.now(),
}: MethodWatchOptions): MethodWatch {
  let refused: readonly MethodUse[] | undefined;
  let isCurrent = false;
  let isDoubted = false;
  let askedMs = Number.NEGATIVE_INFINITY;

  const isDue = (): boolean => {
    if (!isCurrent) return true;
    const misses = isDoubted || refused?.some(({ optional }) => !optional);
    return misses === true && now() - askedMs >= ASK_AGAIN_MS;
  };

  return {
    list: () => refused,
    isRefused: (method) => refused?.some((use) => use.method === method) ?? false,
    forget() {
      isCurrent = false;
    },
    doubt() {
      isDoubted = true;
    },
    async look(options) {
      if (!isDue()) return;
      askedMs = now();
      const servesRest = (await createBlockSource(node).transport(options)) === 'rest';
      const uses = listMethodUses({ ...needs, servesRest });
      const methods = await findRefusedMethods(
        node,
        uses.map(({ method }) => method),
        options,
      );
      const before = refused;
      refused = uses.filter(({ method }) => methods.includes(method));
      isCurrent = true;
      isDoubted = false;
      if (describe(before) !== describe(refused)) onChange(refused);
    },
  };
}

function describe(uses: readonly MethodUse[] | undefined): string {
  return JSON.stringify(uses) ?? '';
}
