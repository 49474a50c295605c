import { generateKeyPairSync, type KeyObject, randomInt, sign } from "node:crypto";
import { bits, bytes, context, integer, name, octets, oid, sequence, time } from "./der.ts";

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
