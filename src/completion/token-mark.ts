import { createHash } from "node:crypto";

/** Tells whether a token is the one that ids were read with, without keeping it: a salted digest, in hex. */
export function tokenMark(salt: string, token: string): string {
  return createHash("sha256").update(`${salt}\0${token}`).digest("hex");
}
