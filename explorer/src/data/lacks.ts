/** Whether the coin lacks a part, such as names: the service has no pages of it. */
export function lacks(part: string): boolean {
  return document.documentElement.dataset.lacks?.split(' ').includes(part) === true;
}
