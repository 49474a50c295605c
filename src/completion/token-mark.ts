import { createHash } from "node:crypto";

/** Returns a mark that identifies the token of cached IDs without storing it: a salted digest, in hex. */
export function tokenMark(salt: string, token: string): string {
  return createHash("sha256").update(`${salt}\0${token}`).digest("hex");
}
