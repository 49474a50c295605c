const AT_ONCE = 500;
const MOST_CHARACTERS = 2 ** 18;

/**
 * Yields the texts of many items in pieces, limited by items and characters so that a long list or a large item fits
 * into memory.
 * @param between the text between two items
 */
export function* inPieces<T>(items: readonly T[], textOf: (item: T) => string, between = ""): Generator<string> {
  let piece = "";
  let count = 0;
  for (const [index, item] of items.entries()) {
    piece += (index > 0 ? between : "") + textOf(item);
    if (++count < AT_ONCE && piece.length < MOST_CHARACTERS) continue;
    yield piece;
    piece = "";
    count = 0;
  }
  if (count > 0) yield piece;
}
