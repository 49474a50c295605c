import { CommanderError, type Option } from "commander";
import { RelayctlError } from "../errors.ts";
import { judgeArgv } from "./argv.ts";
import { countFlags, refuseRepeated } from "./occurrences.ts";
import { buildProgram, type Chosen, type Printed } from "./program.ts";

/** What a command line asks for: a command, or a text such as help. */
export type Parsed = { kind: "command"; chosen: Chosen; common: Record<string, unknown> } | { kind: "text"; printed: Printed; exitCode: number };

/**
 * Reads a command line.
 * @throws RelayctlError usage; its message never holds the value of a flag that is not known
 */
export async function parse(argv: readonly string[]): Promise<Parsed> {
  const printed: Printed = { out: "", err: "" };
  let chosen: Chosen | undefined;
  const program = await buildProgram(argv, (found) => void (chosen = found), printed);
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  const counts = new Map<Option, number>();
  for (const command of commands) countFlags(command, counts);
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    return { kind: "text", printed, exitCode: exitCodeOf(error) };
  }
  if (!chosen) return { kind: "text", printed, exitCode: 0 };
  judgeArgv(argv, commands);
  refuseRepeated(counts);
  return { kind: "command", chosen, common: program.opts() };
}

const SHOWN = ["commander.helpDisplayed", "commander.version"];

/** Help that was asked for ends well; a group without a verb gets its help on stderr and 2; anything else is a usage error. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) throw error;
  if (SHOWN.includes(error.code)) return 0;
  if (error.code === "commander.help") return error.exitCode === 0 ? 0 : 2;
  throw usageOf(error);
}

/** Commander quotes what it does not know; after an equals sign that may be a secret. */
function usageOf(error: CommanderError): RelayctlError {
  const message = error.message.replace(/^error: /, "").replace(/(--[A-Za-z0-9-]+)=[^']*/g, "$1");
  if (/unknown option '--token'/.test(message)) {
    return new RelayctlError("usage", "there is no --token: everybody on the machine could read it in the list of processes", {
      hint: "use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login",
    });
  }
  const [first = "", ...more] = message.split("\n");
  return new RelayctlError("usage", first, { because: more });
}
