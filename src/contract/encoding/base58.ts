const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Decodes base58, the format of Solana's addresses; returns undefined if the text is invalid. */
export function base58Bytes(text: string): Uint8Array | undefined {
  let number = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  return Uint8Array.from([...leading(text, "1").map(() => 0), ...bytesOf(number)]);
}

/** Encodes bytes as base58. */
export function base58Text(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET.charAt(Number(number % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function bytesOf(number: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = number; rest > 0n; rest /= 256n) bytes.unshift(Number(rest % 256n));
  return bytes;
}

function leading(text: string, character: string): string[] {
  const end = [...text].findIndex((each) => each !== character);
  return [...text].slice(0, end < 0 ? text.length : end);
}

/** Returns why a text is not a Solana address (32 bytes in base58), or undefined. */
export function solanaAddressProblem(text: string): string | undefined {
  const bytes = base58Bytes(text.slice(0, 45));
  if (!bytes || text.length < 32 || text.length > 44) return "needs 32 to 44 base58 characters";
  return bytes.length === 32 ? undefined : `needs 32 bytes in base58, not ${bytes.length}`;
}
