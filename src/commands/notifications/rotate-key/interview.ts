import { askText, flagWords } from "../../../command-support/prompting/prompts.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Prompts } from "../../../terminal/prompts.ts";
import type { Call } from "../../command.ts";
import { generatedKeyProblem, validateGeneratedKey } from "../../generated-key.ts";
import { KEY_WORDS } from "../flags.ts";
import { type RotateFlags, rotateKeyFile } from "./flags.ts";

export async function rotateInterview(call: Call<RotateFlags>): Promise<boolean> {
  const { flags, entered } = call;
  const problems = new Problems();
  validateGeneratedKey(flags, rotateKeyFile(flags), problems);
  // No prompts while typed input is wrong.
  if (problems.found.length > 0) return true;
  const prompts = await call.app.prompts();
  const source = keySource(flags) ?? (await prompts.select("New signing key:", SOURCES));
  if (source === "hidden") entered.add(KEY_WORDS);
  if (source === "file") entered.add(flagWords("--signing-key-file", await askKeyFile(prompts)));
  if (source === "generate") {
    if (!flags.generate) entered.add(["--generate"]);
    if (flags.keyOut === undefined) entered.add(flagWords("--key-out", await askKeyOut(prompts, call)));
  }
  if (flags.interactive && flags.oldKeyFile === undefined)
    entered.add(flagWords("--old-key-file", await askOldKey(prompts)));
  if (flags.interactive && flags.preCheck === undefined)
    entered.add(await prompts.select("Send a test delivery first:", TESTS));
  return true;
}

const TESTS = [
  { value: [], name: "no" },
  { value: ["--pre-check"], name: "yes: change nothing unless the receiver accepts it" },
];

const SOURCES = [
  { value: "generate" as const, name: "generate a key, and write it to a file" },
  { value: "file" as const, name: "read it from a file" },
  { value: "hidden" as const, name: "enter a key (hidden)" },
];

function keySource({ generate, signingKeyFile }: RotateFlags): ("generate" | "file" | "hidden" | "typed") | undefined {
  if (generate) return "generate";
  return signingKeyFile === undefined ? undefined : "typed";
}

async function askKeyFile(prompts: Prompts): Promise<string | undefined> {
  return await askText(prompts, {
    question: "File with the new key:",
    example: "new.key",
    problem: () => undefined,
  });
}

async function askKeyOut(prompts: Prompts, { app, args }: Call): Promise<string | undefined> {
  const day = new Date(app.clock.now()).toISOString().slice(0, "2026-11-23".length);
  return await askText(prompts, {
    question: "Write the new key to:",
    suggestion: `${args[0] === "-" ? "signing" : args[0]}-${day}.key`,
    example: "new.key",
    problem: generatedKeyProblem,
  });
}

async function askOldKey(prompts: Prompts): Promise<string | undefined> {
  return await askText(prompts, {
    question: "File with the current key (Enter skips it):",
    optional: true,
    example: "old.key",
    problem: () => undefined,
  });
}
