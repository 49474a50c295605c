export type PageBuffers = ReturnType<typeof createPageBuffers>;

/** As many as the concurrent pages of a list. */
const MOST_KEPT = 8;
const LARGEST_KEPT = 4 * 2 ** 20;
/** Pages differ a little in size, so a buffer is larger. */
const STEP = 2 ** 16;

export function createPageBuffers(copied = (_bytes: number) => {}) {
  const free: Buffer[] = [];
  return {
    /** Returns a buffer of at least this many bytes, with any content. */
    take(bytes: number) {
      const fitting = free.findIndex(({ length }) => length >= bytes);
      const [buffer] = fitting < 0 ? [] : free.splice(fitting, 1);
      return buffer ?? Buffer.allocUnsafe(Math.ceil((bytes + STEP) / STEP) * STEP);
    },
    give(buffer: Buffer) {
      if (buffer.length > LARGEST_KEPT) return;
      if (free.length === MOST_KEPT) free.shift();
      free.push(buffer);
    },
    /** Called with the number of bytes that were copied out of buffers. */
    copied,
  };
}
