import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { App } from "../../src/app.ts";
import { elseOnError } from "../../src/errors.ts";

/** Lines of an `allowed_signers` file for keys that this program signs with. */
export function signerLine(name: string, key = `KEY${name}`): string {
  return `${name} ssh-ed25519 ${key}`;
}

export function fakeSignature(key: string, bytes: string, namespace = "proposal@relayctl"): string {
  const digest = createHash("sha256").update(`${namespace}\n${bytes}`).digest("hex");
  return `-----BEGIN SSH SIGNATURE-----\n${key} ${digest}\n-----END SSH SIGNATURE-----\n`;
}

/** A path stands for its file, which may be unreadable, and anything else for itself. */
function textAt(path: string): string | undefined {
  return path.startsWith("/") ? elseOnError(() => readFileSync(path, "utf8")) : path;
}

/** Behaves like `ssh-keygen -Y`, with names of keys in place of keys, and texts in place of their paths. */
export const fakeSshKeygen: App["execute"] = async ([program, , act, ...words], { input = "" }) => {
  if (program !== "ssh-keygen") return { stdout: "", problem: "it could not be started" };
  const value = (flag: string) => words[words.indexOf(flag) + 1] ?? "";
  const ended = (status: number, stdout = "") => ({
    ...{ stdout, stderr: status === 0 ? "" : "Permission denied", status },
    ...(status !== 0 && { problem: `it ended with status ${status}` }),
  });
  const namespace = value("-n");
  if (act === "sign")
    return value("-f").startsWith("KEY") ? ended(0, fakeSignature(value("-f"), input, namespace)) : ended(255);
  const [signature, signers] = [textAt(value("-s")), textAt(value("-f"))];
  if (signature === undefined || signers === undefined) return ended(255);
  const key = signature.split("\n")[1]?.split(" ")[0] ?? "";
  const lines = signers.split("\n");
  const owner = lines.find((line) => line.split(" ").at(-1) === key)?.split(" ")[0];
  if (act === "find-principals") return owner === undefined ? ended(255) : ended(0, `${owner}\n`);
  return ended(owner === value("-I") && signature === fakeSignature(key, input, namespace) ? 0 : 255);
};
