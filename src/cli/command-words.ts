import type { Command, Option } from "commander";
import type { Argument } from "../commands/command.ts";
import { RECORDED_OPERATIONS } from "../commands/history/filter.ts";
import { type FlagWords, LIVE_KINDS, type Value } from "../completion/words.ts";
import { type FieldTable, sentFields } from "../contract/resources/field.ts";
import { relayerFields } from "../contract/resources/relayer.ts";
import { buildProgram, PLAIN_PAPERS } from "./program.ts";

/** Builds the tree with the commands of a noun. */
export function build(argv: readonly string[]) {
  return buildProgram(argv, { out: "", err: "" }, PLAIN_PAPERS);
}

/** Returns the commands in help, without commander's own `help`, which applies to every command. */
export function visibleCommands(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((verb) => visible.includes(verb));
}

/** Returns a flag as data. */
export function flagWords(option: Option): FlagWords {
  const takesValue = option.required || option.optional;
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    summary: option.description,
    ...(takesValue && { value: flagValue(option) }),
    ...((option.parseArg || option.variadic) && { repeats: true }),
    ...(option.variadic && { takesMany: true }),
  };
}

const BY_FLAG: Readonly<Record<string, Value>> = {
  "--context": "context",
  ...idFlags(relayerFields),
  "--fields": "fields",
  "--operation": RECORDED_OPERATIONS,
  "--relayer": "relayer",
  "--sort": "order",
  "--source-account": "stellar label",
  "--to": "evm label",
  "--where": "condition",
  "--policy": "policy",
  "--unset-policy": "policy key",
};

/** Returns the flags of fields that hold the ID of another resource. */
function idFlags(table: FieldTable): Record<string, Value> {
  const fields = [...sentFields(table, "create"), ...sentFields(table, "update")];
  return Object.fromEntries(
    fields.flatMap(([, { flag, refersTo }]) => (flag && refersTo ? [[flag[0].split(" ")[0], refersTo]] : [])),
  );
}

function flagValue({ long, flags, argChoices }: Option): Value {
  const value = argChoices ?? BY_FLAG[long ?? ""];
  return value ?? (/<file(?:\.\.\.)?>$/.test(flags) ? "file" : "text");
}

/** A mined transaction can be neither replaced nor canceled (facts 5.4). */
const FOR_PENDING = ["replace", "cancel"];

/** Returns the possible values of an argument. @param verb the last word of its command */
export function argumentValue({ noun, words, isFile }: Argument, verb: string): Value {
  if (words) return words;
  if (isFile) return "file";
  if (noun === "transaction" && FOR_PENDING.includes(verb)) return "pending-transaction";
  return noun === "context" || noun === "label" ? noun : (LIVE_KINDS.find((kind) => kind === noun) ?? "text");
}
