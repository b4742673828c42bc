/** Rooms of one size, each used again when it is given back: with new ones for each block V8 collected the whole heap at every second one. */
export type RoomPool = {
  /** Gives a room; what was in it may still be. */
  take(): Uint8Array;
  /** Takes a room back that nobody looks into any more. */
  giveBack(room: Uint8Array): void;
};

/**
 * @param bytes of a room
 * @param mostHeld so many wait to be used again; what comes back beyond is let go of
 */
export function createRoomPool(bytes: number, mostHeld: number): RoomPool {
  const free: Uint8Array[] = [];
  return {
    take: () => free.pop() ?? new Uint8Array(bytes),
    giveBack(room) {
      if (free.length < mostHeld) free.push(room);
    },
  };
}
