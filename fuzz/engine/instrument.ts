/**
 * Counts which blocks of a program run: each is given a counter while its module is loaded. A look at the counters after an input
 * tells whether the input came to where none before it came, and how many steps it took.
 */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

/** Counters of all loaded modules; those from `used` on are free. */
export type Counters = {
  readonly counts: Uint32Array;
  used(): number;
  /** Short texts and the numbers that the loaded modules compare with: what an input may have to hold to go on. */
  readonly words: ReadonlySet<string>;
};

type AstNode = { type: string; start: number; end: number; [field: string]: unknown };
type Insertion = { at: number; text: string; order: number };

const MAX_COUNTERS = 1 << 17;
const MAX_WORD_CHARS = 24;
const GLOBAL = '__fuzzCounts';

/** Instruments every module that is loaded from now on and whose path the caller chooses. */
export function instrumentModules(isChosen: (path: string) => boolean): Counters {
  const counts = new Uint32Array(MAX_COUNTERS);
  const words = new Set<string>();
  let next = 0;
  (globalThis as Record<string, unknown>)[GLOBAL] = counts;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:') || !/\.[jt]s$/.test(url)) return nextLoad(url, context);
      const path = fileURLToPath(url);
      if (!isChosen(path)) return nextLoad(url, context);
      const lang = path.endsWith('.ts') ? 'ts' : 'js';
      const code = readFileSync(path, 'utf8');
      const result = addCounters(code, lang, next);
      next = result.next;
      if (next > MAX_COUNTERS) throw new Error(`More than ${MAX_COUNTERS} blocks are loaded.`);
      for (const word of result.words) words.add(word);
      return {
        format: lang === 'ts' ? 'module-typescript' : 'module',
        source: result.code,
        shortCircuit: true,
      };
    },
  });
  return { counts, used: () => next, words };
}

/** The code with a counter in each of its blocks, numbered from `first` on; its lines stay where they are. */
export function addCounters(
  code: string,
  lang: 'ts' | 'js',
  first: number,
): { code: string; next: number; words: string[] } {
  const insertions: Insertion[] = [];
  const words: string[] = [];
  let next = first;
  const insert = (at: number, text: string): void => {
    insertions.push({ at, text, order: insertions.length });
  };
  const count = (): string => `__c[${next++}]++`;

  walk(parseAst(code, { lang }) as unknown as AstNode, (node) => {
    const { statements, expressions, before } = findBlocks(node);
    for (const statement of statements) {
      if (statement.type === 'BlockStatement') insert(statement.start + 1, `${count()};`);
      else {
        insert(statement.start, `{${count()};`);
        insert(statement.end, '}');
      }
    }
    for (const expression of expressions) {
      insert(expression.start, `(${count()},`);
      insert(expression.end, ')');
    }
    if (before !== undefined) insert(before.start, `${count()};`);
    const word = findWord(node);
    if (word !== undefined) words.push(word);
  });
  return { code: `const __c=globalThis.${GLOBAL};${applyInsertions(code, insertions)}`, next, words };
}

/** What of a node runs, or does not: statements (with or without braces), expressions, and the first of several statements. */
type Blocks = { statements: AstNode[]; expressions: AstNode[]; before: AstNode | undefined };

const PARTS: Readonly<Record<string, { statements?: string[]; expressions?: string[] }>> = {
  FunctionDeclaration: { statements: ['body'] },
  FunctionExpression: { statements: ['body'] },
  IfStatement: { statements: ['consequent', 'alternate'] },
  ForStatement: { statements: ['body'] },
  ForInStatement: { statements: ['body'] },
  ForOfStatement: { statements: ['body'] },
  WhileStatement: { statements: ['body'] },
  DoWhileStatement: { statements: ['body'] },
  CatchClause: { statements: ['body'] },
  ConditionalExpression: { expressions: ['consequent', 'alternate'] },
  LogicalExpression: { expressions: ['right'] },
};

function findBlocks(node: AstNode): Blocks {
  const children = (fields: readonly string[] = []): AstNode[] =>
    fields.flatMap((field) => (node[field] as AstNode | null | undefined) ?? []);
  if (node.type === 'ArrowFunctionExpression') {
    const body = node.body as AstNode;
    const isBlock = body.type === 'BlockStatement';
    return { statements: isBlock ? [body] : [], expressions: isBlock ? [] : [body], before: undefined };
  }
  const { statements, expressions } = PARTS[node.type] ?? {};
  const before = node.type === 'SwitchCase' ? (node.consequent as AstNode[])[0] : undefined;
  return { statements: children(statements), expressions: children(expressions), before };
}

function findWord({ type, value }: AstNode): string | undefined {
  if (type !== 'Literal' || !['string', 'number', 'bigint'].includes(typeof value)) return undefined;
  const word = String(value);
  return word.length > 0 && word.length <= MAX_WORD_CHARS ? word : undefined;
}

/** Parents before children, so that of two insertions at one place the outer one comes first. */
function walk(node: AstNode, enter: (node: AstNode) => void): void {
  // Types run nothing.
  if (/^(TS(Type|Interface)|Import)/.test(node.type)) return;
  enter(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null && typeof (each as AstNode).type === 'string')
        walk(each as AstNode, enter);
    }
  }
}

function applyInsertions(code: string, insertions: readonly Insertion[]): string {
  const isEnd = ({ text }: Insertion) => text === '}' || text === ')';
  const sorted = insertions.toSorted((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    // What ends here comes before what begins here; of two ends the inner one, which was found later, comes first.
    if (isEnd(a) !== isEnd(b)) return isEnd(a) ? -1 : 1;
    return isEnd(a) ? b.order - a.order : a.order - b.order;
  });
  let result = '';
  let done = 0;
  for (const { at, text } of sorted) {
    result += code.slice(done, at) + text;
    done = at;
  }
  return result + code.slice(done);
}
