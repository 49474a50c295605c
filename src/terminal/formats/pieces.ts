const AT_ONCE = 500;
const MOST_CHARACTERS = 2 ** 18;

/**
 * The texts of many items in pieces, of so many items and characters that a long list and a large item fit into memory.
 * @param between stands between two items
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
