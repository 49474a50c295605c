import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { LockWorld } from "../config/files/lock.ts";
import { usageError } from "../errors.ts";
import { journalError } from "./appender.ts";
import { type JournalFolder, withFolderFile } from "./folder.ts";
import { withFolderLock } from "./folder-lock.ts";
import type { Journal } from "./journal.ts";
import { replaceFile } from "./replace-file.ts";

const SALT = "salt";
const SALT_BYTES = 32;
const SALT_TEXT = /^[0-9a-f]{64}\n$/;
const DIGITS = 16;

export function createFingerprint(folder: JournalFolder, surroundings: LockWorld): Journal["fingerprint"] {
  let salt: Promise<string> | undefined;
  return async (secret) => {
    salt ??= loadSalt(folder, surroundings).catch((error: unknown) => {
      throw journalError(folder.path, error);
    });
    const digest = createHmac("sha256", await salt)
      .update(secret)
      .digest("hex");
    return `hmac:${digest.slice(0, DIGITS)}`;
  };
}

async function loadSalt(folder: JournalFolder, surroundings: LockWorld): Promise<string> {
  const salt = await readSalt(folder);
  if (salt !== undefined) return salt;
  return await withFolderLock(folder, surroundings, async () => {
    const other = await readSalt(folder);
    if (other !== undefined) return other;
    const made = randomBytes(SALT_BYTES).toString("hex");
    replaceFile(folder, SALT, { text: `${made}\n`, unique: surroundings.random.uuid() });
    return made;
  });
}

async function readSalt(folder: JournalFolder): Promise<string | undefined> {
  return await withFolderFile(folder, SALT, "read", (file) => {
    const text = readFileSync(file.descriptor, "latin1");
    if (!SALT_TEXT.test(text)) throw usageError([{ where: file.path, rule: "is damaged; restore it, or remove it" }]);
    return text.trimEnd();
  });
}
