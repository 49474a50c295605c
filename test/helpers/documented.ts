import { allCommands } from "../../src/cli/all-commands.ts";
import { exitCodesOf } from "../../src/cli/help/exit-codes.ts";
import type { AnyCommand } from "../../src/commands/command.ts";
import { effectOf } from "../../src/contract/effect.ts";
import { parseJson } from "../../src/contract/json.ts";
import { recognizeOperation } from "../../src/contract/reply/recognize.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { EXIT_CODES } from "../../src/errors.ts";

const COMMANDS = new Map(await allCommands());
/** Words that lead to no command, a full disk and the signals: they are in the help of no command, but in `help exit-codes`. */
const ANYWHERE = [0, 2, 74, 129, 130, 143];

/** Compares how a run ended, and what it sent, with the command's help. @throws Error */
export function validateByHelp(argv: readonly string[], exitCode: number, requests: readonly WireRequest[]): void {
  const file = COMMANDS.get(pathIn(argv) ?? "");
  if (!file) return;
  const line = `relayctl ${argv.join(" ")}`;
  const isUnsent = requests.length === 0;
  // Every command may ask about a project file before it sends anything. Only `help exit-codes` lists that no.
  if (!(isUnsent && exitCode === EXIT_CODES.declined) && !isNamed(exitCode, file))
    throw new Error(`${line} ended with ${exitCode}, which its help does not name`);
  for (const { method, target } of requests.filter((request) => !isDeclared(request, file)))
    throw new Error(`${line} sent ${method} ${target}, and it is declared to send ${file.sends}`);
}

/** The words of the command that was typed: its noun and verb are the first such words on the line. */
export function pathIn(argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  const paths = words.flatMap((word, index) => [word, `${word} ${words[index + 1]}`]);
  return paths.find((path) => COMMANDS.has(path));
}

function isNamed(exitCode: number, file: AnyCommand): boolean {
  // Only a broken service responds to a read with 409. Tests do so, and no help lists it.
  if (file.sends === "read" && exitCode === EXIT_CODES.conflict) return true;
  return ANYWHERE.includes(exitCode) || exitCodesOf(file).some(({ code }) => code === exitCode);
}

function isDeclared({ method, target, body }: WireRequest, { sends, alsoSends = [] }: AnyCommand): boolean {
  const operation = recognizeOperation(method, target.split("?")[0] ?? "")?.operation;
  const reads = operation && !effectOf(operation, body === undefined ? undefined : parseJson(body)).writes;
  if (sends === "deliveries") return method === "POST" && !target.startsWith("/api/v1");
  return sends === "anything" || reads === true || [sends, ...alsoSends].some((kind) => kind === operation?.kind);
}
