/** The shortest piece that is worth a reference. */
const SHORTEST = 16;

/**
 * Returns bytes as pieces of others, or hex. undici has its HTTP parser with and without SIMD, which differ in 100 of 54,000
 * bytes.
 */
export function partsOf(bytes, others) {
  const places = new Map();
  for (let at = 0; at + SHORTEST <= others.length; at++) {
    const piece = textAt(others, at);
    if (!places.has(piece)) places.set(piece, at);
  }
  const parts = [];
  let own = [];
  let expected = 0;
  for (let at = 0; at < bytes.length; ) {
    const piece = textAt(bytes, at);
    const starts = [expected, places.get(piece)].filter(
      (start) => start !== undefined && textAt(others, start) === piece,
    );
    const copies = starts.map((start) => [start, sameLength(bytes, at, others, start)]);
    const [start, length] = copies.reduce((best, copy) => (copy[1] > best[1] ? copy : best), [0, 0]);
    if (length < SHORTEST) {
      own.push(bytes[at++]);
      expected++;
      continue;
    }
    if (own.length > 0) parts.push(Buffer.from(own).toString("hex"));
    own = [];
    parts.push([start, length]);
    at += length;
    expected = start + length;
  }
  if (own.length > 0) parts.push(Buffer.from(own).toString("hex"));
  return parts;
}

/** Returns the bytes that have these parts. Its source stands in the package. */
export function joined(parts, others) {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === "string" ? Buffer.from(part, "hex") : others.subarray(part[0], part[0] + part[1]),
    ),
  );
}

function textAt(bytes, at) {
  return bytes.toString("latin1", at, at + SHORTEST);
}

function sameLength(bytes, at, others, start) {
  let length = 0;
  while (at + length < bytes.length && start + length < others.length && bytes[at + length] === others[start + length])
    length++;
  return length;
}
