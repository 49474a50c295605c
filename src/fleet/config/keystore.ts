import { createDecipheriv, pbkdf2Sync, scryptSync } from "node:crypto";
import { join } from "node:path";
import { keccak_256 } from "../../contract/encoding/primitives.ts";
import { objectIn, textIn, tryParseJson } from "../../contract/json.ts";
import { brokenRules } from "../../contract/requests/broken-rules.ts";
import { type Keystore, keystoreSchema } from "../../contract/requests/keystore.ts";
import { elseOnError, rescue } from "../../errors.ts";
import type { FileItem } from "./file-item.ts";

/** Reports a keystore that ends the start of a service, or that is not where a service would look (facts 14.1). */
export async function inspectKeystore(item: FileItem): Promise<void> {
  const { document, reading } = item;
  const { path, passphrase } = objectIn(item.value.config ?? null);
  if (typeof path !== "string" || document.format !== "json" || item.isSettled("config.path")) return;
  const places = await reading.sources.foldersFor(path, document.file);
  const files = places.filter(({ folder, root }) => folder !== root);
  for (const { folder: file, root } of files) {
    const text = await rescue(reading.sources.readReferenced(file, join(root, path)), () => undefined);
    if (text === undefined) continue;
    const isKnown = !item.isSettled("config.passphrase") && !item.isSettled("config.passphrase.value");
    const { type, value } = objectIn(isKnown ? passphrase : null);
    const word = type === "env" ? reading.sources.env(textIn(value)) : textIn(value);
    const problem = keystoreProblem(text, word);
    if (problem !== undefined) item.refuseStart("config.path", `keystore ${file}: ${problem}`);
    return;
  }
  reading.report.say(document, item.full("config.path"), {
    ...{ severity: "note", code: "unreadable", fix: "create it where the service runs" },
    message: `the keystore was not read; looked in ${files.map(({ folder }) => folder).join(", ")}`,
  });
}

function keystoreProblem(text: string, passphrase: string | undefined): string | undefined {
  const keystore = tryParseJson(text);
  if (keystore === undefined) return "not JSON";
  const [broken] = brokenRules(keystoreSchema, keystore);
  if (broken) return `${broken.path.join(".")}: ${broken.rule}`;
  const { crypto } = keystoreSchema.parse(keystore);
  const derived = passphrase && deriveKey(crypto, passphrase);
  if (!derived) return undefined;
  const ciphertext = Buffer.from(crypto.ciphertext, "hex");
  const mac = keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  if (!Buffer.from(crypto.mac, "hex").equals(mac)) return "the passphrase is wrong";
  const iv = Buffer.from(crypto.cipherparams.iv, "hex").subarray(0, 16);
  const key = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), iv).update(ciphertext);
  return key.every((byte) => byte === 0) ? "the private key is zero" : undefined;
}

const MOST_ROUNDS = 2 ** 22;

/** Returns nothing if it would take long, or if no library derives a key with such parameters. */
function deriveKey({ kdfparams }: Keystore["crypto"], passphrase: string): Buffer | undefined {
  const [salt, length] = [Buffer.from(kdfparams.salt, "hex"), Number(kdfparams.dklen)];
  if ("c" in kdfparams) {
    const rounds = Number(kdfparams.c);
    return rounds > 0 && rounds <= MOST_ROUNDS ? pbkdf2Sync(passphrase, salt, rounds, length, "sha256") : undefined;
  }
  const [N, r, p] = [Number(kdfparams.n), Number(kdfparams.r), Number(kdfparams.p)];
  if (Math.max(N, 64) * r * p > MOST_ROUNDS) return undefined;
  return elseOnError(() => scryptSync(passphrase, salt, length, { N, r, p, maxmem: 2 ** 30 }));
}
