export type PageBuffers = ReturnType<typeof createPageBuffers>;

/** More are not kept: as many as pages of a list are read at once. */
const MOST_KEPT = 8;
/** A larger one is not kept. */
const LARGEST_KEPT = 4 * 2 ** 20;
/** Pages differ a little in size: a buffer has room for a larger one. */
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
    /** Called once nothing reads the buffer anymore. */
    give(buffer: Buffer) {
      if (buffer.length > LARGEST_KEPT) return;
      if (free.length === MOST_KEPT) free.shift();
      free.push(buffer);
    },
    /** Called with the number of bytes that were copied out of buffers, which nothing reads any longer. */
    copied,
  };
}
