/** The pieces of a Stellar transaction envelope (Stellar-transaction.x), as far as a test needs them. */
const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const zeros = (count: number) => Array<number>(count).fill(0);
const key = zeros(32).map((_, index) => index + 1);

/** A transaction of one account without operations: source, fee, sequence, no time bounds, no memo, no operation. */
const transaction = [
  ...word(0),
  ...key,
  ...word(100),
  ...zeros(4),
  ...word(7),
  ...word(0),
  ...word(0),
  ...word(0),
  ...word(0),
];

function signature(last: number): number[] {
  return [...zeros(3), 9, ...word(64), ...zeros(63).fill(7), last];
}

/** A `TransactionV1Envelope` with so many signatures, in base64. */
export function envelopeXdr(signatures: number, type = 2): string {
  const signed = Array.from({ length: signatures }, (_, index) => signature(index + 1)).flat();
  return Buffer.from([...word(type), ...transaction, ...word(signatures), ...signed]).toString("base64");
}
