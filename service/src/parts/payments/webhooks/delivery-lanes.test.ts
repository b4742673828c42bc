import { expect, test } from 'vitest';
import { isQueue, laneOf, merchantOf, originOf } from './delivery-lanes.ts';

test('a lane is a merchant and an origin', () => {
  const lane = laneOf('mer_1', 'https://shop.example:8443/a b?c');
  expect([merchantOf(lane), originOf(lane)]).toEqual(['mer_1', 'https://shop.example:8443']);
  expect(isQueue(lane)).toBe(false);
  const queue = laneOf('mer_1', 'https://shop.example:8443/a', 'whk_1');
  expect([merchantOf(queue), originOf(queue)]).toEqual(['mer_1', 'https://shop.example:8443']);
  expect([isQueue(queue), queue]).toEqual([true, 'mer_1 https://shop.example:8443 whk_1']);
});
