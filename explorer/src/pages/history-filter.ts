/** The part of an address's history that its page shows. */
export type HistoryFilter = { direction?: 'received' | 'sent'; from_date?: string; to_date?: string };

/** What a page's own address says of it; what is no filter is left out. */
export function readHistoryFilter(query: URLSearchParams): HistoryFilter {
  const direction = query.get('direction');
  const [from, to] = ['from_date', 'to_date'].map((name) => readDay(query.get(name)));
  return {
    ...(direction === 'received' || direction === 'sent' ? { direction } : {}),
    ...(from === undefined ? {} : { from_date: from }),
    ...(to === undefined || (from !== undefined && to < from) ? {} : { to_date: to }),
  };
}

function readDay(text: string | null): string | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
