/** Follows the frames of a WebSocket (RFC 6455, section 5.2) by their headers alone. */

const FINAL = 0x80;
const CONTROL = 0x08;
const MASKED = 0x80;
const MASK_BYTES = 4;

export type FrameMeter = {
  /** Takes the next bytes of the stream. */
  pass(chunk: Uint8Array): void;
  /** Bytes that have come of a message, or of a frame, that is not whole yet. Whole pings and pongs are no part of it. */
  readonly held: number;
};

/** `ws` does not tell what it holds. Frames that are wrong are for `ws` to refuse: what is said after one means nothing. */
export function createFrameMeter(): FrameMeter {
  /** Of frames of the message that are whole, and of the frame that has begun. */
  let earlier = 0;
  let frame = 0;
  let kind = 0;
  /** Bytes of the header, of which so many say the length. */
  let header = 2;
  let lengthEnd = 2;
  let payload = 0;

  const readHeader = (byte: number): void => {
    if (frame === 0) kind = byte;
    else if (frame === 1) {
      const short = byte & 0x7f;
      lengthEnd = short === 127 ? 10 : short === 126 ? 4 : 2;
      header = lengthEnd + (byte & MASKED ? MASK_BYTES : 0);
      payload = lengthEnd === 2 ? short : 0;
    } else if (frame < lengthEnd) payload = payload * 256 + byte;
    frame++;
  };

  const endFrame = (): void => {
    if (!(kind & CONTROL)) earlier = kind & FINAL ? 0 : earlier + frame;
    frame = 0;
    header = 2;
    payload = 0;
  };

  return {
    get held() {
      return earlier + frame;
    },
    pass(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (frame < header) readHeader(chunk[at++]!);
        else {
          const taken = Math.min(header + payload - frame, chunk.length - at);
          frame += taken;
          at += taken;
        }
        if (frame >= header && frame === header + payload) endFrame();
      }
    },
  };
}
