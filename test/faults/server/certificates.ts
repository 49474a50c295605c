import { generateKeyPairSync, type KeyObject, randomInt, sign } from "node:crypto";

/** The few shapes of ASN.1 (X.690, DER) that a certificate is made of. */
function bytes(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

function sequence(...fields: Buffer[]): Buffer {
  return bytes(0x30, Buffer.concat(fields));
}

function context(number: number, content: Buffer): Buffer {
  return bytes(0xa0 + number, content);
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const content = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return bytes(0x02, (content[0] ?? 0) < 0x80 ? content : Buffer.concat([Buffer.from([0]), content]));
}

function octets(content: Buffer): Buffer {
  return bytes(0x04, content);
}

function bits(content: Buffer): Buffer {
  return bytes(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return bytes(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** A name of one part, the common name. */
function name(text: string): Buffer {
  const commonName = sequence(oid([2, 5, 4, 3]), bytes(0x0c, Buffer.from(text)));
  return sequence(bytes(0x31, commonName));
}

/** A time before 2050. */
function time(date: Date): Buffer {
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

/** A key with its certificate, in PEM. Only for tests, and never on a disk. */
interface Certified {
  cert: string;
  key: string;
}

export interface Authority extends Certified {
  issue(facts?: Partial<Facts>): Certified;
}

interface Facts {
  /** What it is for: an IPv4 address, else a name. */
  host: string;
  from: Date;
  until: Date;
}

const ECDSA_SHA256 = sequence(oid([1, 2, 840, 10045, 4, 3, 2]));
const SUBJECT_ALT_NAME = oid([2, 5, 29, 17]);
const BASIC_CONSTRAINTS = oid([2, 5, 29, 19]);
const TRUE = Buffer.from([1, 1, 0xff]);

const ALWAYS = { from: new Date("2020-01-01T00:00:00Z"), until: new Date("2049-01-01T00:00:00Z") };

/** An authority that only a test's option trusts. Verification finds an issuer by its name. */
export function createAuthority(issuer = "test authority"): Authority {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE)));
  return {
    ...certified(
      {
        issuer,
        subject: issuer,
        key: pair.privateKey,
        publicKey: pair.publicKey,
        signer: pair.privateKey,
        ...ALWAYS,
      },
      isAuthority,
    ),
    issue(facts = {}) {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { host, from, until } = { host: "127.0.0.1", ...ALWAYS, ...facts };
      const names = sequence(SUBJECT_ALT_NAME, octets(sequence(altName(host))));
      return certified(
        { issuer, subject: "test service", key: privateKey, publicKey, signer: pair.privateKey, from, until },
        names,
      );
    },
  };
}

interface Request {
  issuer: string;
  subject: string;
  key: KeyObject;
  publicKey: KeyObject;
  signer: KeyObject;
  from: Date;
  until: Date;
}

/** RFC 5280, 4.1. */
function certified({ issuer, subject, key, publicKey, signer, from, until }: Request, extension: Buffer): Certified {
  const tbs = sequence(
    context(0, integer(2)),
    integer(randomInt(1, 2 ** 31)),
    ECDSA_SHA256,
    name(issuer),
    sequence(time(from), time(until)),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    context(3, sequence(extension)),
  );
  const der = sequence(tbs, ECDSA_SHA256, bits(sign("sha256", tbs, signer)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  const cert = `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  return { cert, key: key.export({ type: "pkcs8", format: "pem" }).toString() };
}

function altName(host: string): Buffer {
  const address = /^[0-9.]+$/.test(host);
  return address ? bytes(0x87, Buffer.from(host.split(".").map(Number))) : bytes(0x82, Buffer.from(host));
}
