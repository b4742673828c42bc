import { type CoinPart, type ExplorerPage, explorerPages } from './pages.ts';

/** The pages of a coin that lacks these parts: neither theirs, nor those of their documents. */
export function listPages(lacks: readonly CoinPart[]): readonly ExplorerPage[] {
  return explorerPages
    .filter(({ part }) => part === undefined || !lacks.includes(part))
    .map((page) => {
      const { known, describe } = page;
      if (known === undefined) return page;
      const left = known.filter((each) => !lacks.some((part) => part === each));
      return {
        ...page,
        known: left,
        describe: (parameter, data, coin) => describe(left.includes(parameter) ? parameter : '', data, coin),
      };
    });
}
