import { readSecretFlag, SHORT_KEY, secretKeyProblem } from "../../command-support/prompting/secret-flag.ts";
import type { Problems } from "../../contract/problems.ts";
import { isLongEnough } from "../../contract/resources/notification.ts";
import type { Call, CommandSyntax } from "../command.ts";

const FLAG = "--signing-key-file";

export interface SigningKey {
  text: string;
  file: string;
}

export function defineSigningKeyFlag(command: CommandSyntax, description: string, rule: "" | "; required" = "") {
  return command.option(`${FLAG} <file>`, `${description} (\`-\` for stdin, hidden at a terminal${rule})`);
}

export function defineSigningKeyFlags(command: CommandSyntax, rule: "" | "; required" = "") {
  return command.option(
    `${FLAG} <file>`,
    `Read a signing key from a file (\`-\` for stdin, hidden at a terminal; repeatable, for a rotation${rule})`,
    "values",
  );
}

export async function readSigningKey(
  call: Pick<Call, "app" | "common">,
  file: string | undefined,
  problems: Problems,
): Promise<string | undefined> {
  const [key] = await readKeys(call, file === undefined ? [] : [file], problems);
  const problem = key && secretKeyProblem(key.text);
  if (problem) problems.add(FLAG, problem);
  return key?.text;
}

/** Reads the keys that a signature is verified with, and warns about each that the service would refuse. */
export async function readVerifyingKeys(
  call: Pick<Call, "app" | "common" | "say">,
  files: readonly string[] = [],
  problems: Problems,
): Promise<SigningKey[]> {
  if (files.length === 0) problems.add(FLAG, "is required: the file with the key that deliveries are signed with");
  const keys = await readKeys(call, files, problems);
  for (const { file } of keys.filter(({ text }) => !isLongEnough(text)))
    await call.say({ warning: `${FLAG} ${file}: ${SHORT_KEY}` });
  return keys;
}

/** Reads a receiver's keys: duplicates, and keys that the service would refuse, are problems. */
export async function readListeningKeys(
  call: Pick<Call, "app" | "common">,
  files: readonly string[] = [],
  problems: Problems,
): Promise<SigningKey[]> {
  const keys = await readKeys(call, files, problems);
  for (const [index, { text, file }] of keys.entries()) {
    const problem = secretKeyProblem(text);
    const isSame = keys.findIndex((key) => key.text === text) < index;
    if (problem ?? isSame) problems.add(FLAG, problem ?? "contains the same key as another file", file);
  }
  return keys;
}

async function readKeys(call: Pick<Call, "app" | "common">, files: readonly string[], problems: Problems) {
  const keys: SigningKey[] = [];
  for (const file of files) {
    const text = await readSecretFlag(call, problems, {
      flag: FLAG,
      file,
      question: "Signing key (hidden):",
      problem: (key) => (key === "" ? "enter a key" : undefined),
    });
    if (text !== undefined) keys.push({ text, file });
  }
  return keys;
}

export function signedBodyInput(
  file: string | undefined,
  keyFiles: readonly (string | undefined)[],
  problems: Problems,
): string {
  if (file === undefined && keyFiles.includes("-"))
    problems.add("--file", "is required if the signing key is read from stdin");
  return file ?? "-";
}
