/** Answers that came with the page: each is given once to the first call that asks for it. */

type Answer = { status: number; headers: Record<string, string>; body: string };

/** What went wrong with the whole page. */
export type PageProblem = { status: number; code: string; detail: string; request_id: string };

type PageData = { answers: Record<string, Answer>; problem?: PageProblem };

const element = document.getElementById('data');
const data: PageData =
  element === null ? { answers: {} } : (JSON.parse(element.textContent ?? '{}') as PageData);
const answers = new Map(Object.entries(data.answers));

/** The problem that the service showed instead of a page. */
export const pageProblem: PageProblem | undefined = data.problem;

/** Takes an answer out; undefined when none came for this path and query. */
export function takePreloaded(pathAndQuery: string): Answer | undefined {
  const answer = answers.get(pathAndQuery);
  answers.delete(pathAndQuery);
  return answer;
}

/** `fetch` that looks among what came with the page first. */
export async function fetchPreloaded(url: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url, location.href);
  const known =
    init.method === undefined || init.method === 'GET' ? takePreloaded(pathname + search) : undefined;
  return known === undefined
    ? fetch(url, init)
    : new Response(known.body, { status: known.status, headers: known.headers });
}

/** Forgets what was not used: on the next page it may be out of date. */
export function dropPreloaded(): void {
  answers.clear();
}
