/** The few shapes of ASN.1 (X.690, DER) that a certificate is made of. */
export function bytes(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

export function sequence(...fields: Buffer[]): Buffer {
  return bytes(0x30, Buffer.concat(fields));
}

export function context(number: number, content: Buffer): Buffer {
  return bytes(0xa0 + number, content);
}

export function integer(value: number): Buffer {
  const hex = value.toString(16);
  const content = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return bytes(0x02, (content[0] ?? 0) < 0x80 ? content : Buffer.concat([Buffer.from([0]), content]));
}

export function octets(content: Buffer): Buffer {
  return bytes(0x04, content);
}

export function bits(content: Buffer): Buffer {
  return bytes(0x03, Buffer.concat([Buffer.from([0]), content]));
}

export function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return bytes(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** A name of one part, the common name. */
export function name(text: string): Buffer {
  const commonName = sequence(oid([2, 5, 4, 3]), bytes(0x0c, Buffer.from(text)));
  return sequence(bytes(0x31, commonName));
}

/** A time before 2050. */
export function time(date: Date): Buffer {
  return bytes(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, "")
        .slice(2)}`,
    ),
  );
}
