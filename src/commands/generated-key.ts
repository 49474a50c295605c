import { fileErrorCode } from "../config/files/file-error.ts";
import type { Problems } from "../contract/problems.ts";
import { markMasked } from "../contract/secret-fields.ts";
import { rescue } from "../errors.ts";
import type { Call } from "./command.ts";

export interface GenerateFlags {
  generate?: true | undefined;
  keyOut?: string | undefined;
}

export const GENERATE = ["--generate", "Generate a key: 64 hexadecimal digits"] as const;
export const KEY_OUT = [
  "--key-out <file>",
  "Write the generated key to a new file before anything is sent (required with --generate); the file is kept whatever happens afterwards",
] as const;

export function validateGeneratedKey(
  { generate, keyOut }: GenerateFlags,
  [fileFlag, file]: readonly [string, unknown],
  problems: Problems,
): void {
  if (generate && file !== undefined) problems.add("--generate", `cannot be combined with ${fileFlag}`);
  if (keyOut === undefined) return;
  if (!generate) problems.add("--key-out", "requires --generate");
  const rule = generatedKeyProblem(keyOut);
  if (rule !== undefined) problems.add("--key-out", rule, keyOut);
}

export function requireKeyOut({ generate, keyOut }: GenerateFlags, problems: Problems): void {
  if (generate && keyOut === undefined) problems.add("--key-out", "is required: where --generate writes the key");
}

export function generatedKeyProblem(path: string): string | undefined {
  if (path === "") return "needs a file name";
  return path === "-" ? "needs a file name: a key is never printed" : undefined;
}

export function newGeneratedKey({ app }: Pick<Call, "app">): string {
  const key = app.random.key();
  app.secrets.add(key);
  return key;
}

/** Writes a key to a new file. @param again returns the command that uses the key of an existing file */
export async function createGeneratedKeyFile(
  { app }: Pick<Call, "app">,
  { key, path }: { key: string; path: string },
  again: () => Promise<string>,
): Promise<void> {
  await rescue(app.files.create(path, markMasked(key)), async (error) => {
    const exists = fileErrorCode(error.cause) === "EEXIST";
    throw error.with({ because: ["nothing was sent"], ...(exists && { hint: await again() }) });
  });
}
