import { type Argument, type CommandSyntax, type Flag, HELP_FLAG } from "../commands/command.ts";
import { RECORDED_OPERATIONS } from "../commands/history/filter.ts";
import { type FlagWords, LIVE_KINDS, type Value } from "../completion/words.ts";
import { type FieldTable, sentFields } from "../contract/resources/field.ts";
import { relayerFields } from "../contract/resources/relayer.ts";
import { loadedCommands } from "./parsing/loaded-commands.ts";
import { buildProgram } from "./program.ts";

export function buildCommandWords(argv: readonly string[]) {
  return buildProgram(argv, loadedCommands);
}

export function flagsInCommandWords({ flags }: CommandSyntax): Flag[] {
  return [...flags, HELP_FLAG];
}

export function commandFlagWords(flag: Flag): FlagWords {
  const { short, long, description, takesValue, adds, takesMany } = flag;
  return {
    names: [short, long].filter((name) => name !== undefined),
    summary: description,
    ...(takesValue && { value: flagValue(flag) }),
    ...((adds || takesMany) && { repeats: true }),
    ...(takesMany && { takesMany }),
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
  "--to-relayer": "relayer",
  "--where": "condition",
  "--policy": "policy",
  "--unset-policy": "policy key",
};

function idFlags(table: FieldTable): Record<string, Value> {
  const fields = [...sentFields(table, "create"), ...sentFields(table, "update")];
  return Object.fromEntries(
    fields.flatMap(([, { flag, refersTo }]) => (flag && refersTo ? [[flag[0].split(" ")[0], refersTo]] : [])),
  );
}

function flagValue({ long, flags, choices }: Flag): Value {
  const value = choices ?? BY_FLAG[long];
  return value ?? (/<file(?:\.\.\.)?>$/.test(flags) ? "file" : "text");
}

/** A mined transaction can be neither replaced nor canceled (facts 5.4). */
const FOR_PENDING = ["replace", "cancel"];

export function argumentWords({ noun, words, isFile }: Argument, verb: string): Value {
  if (words) return words;
  if (isFile) return "file";
  if (noun === "transaction" && FOR_PENDING.includes(verb)) return "pending-transaction";
  return noun === "context" || noun === "label" ? noun : (LIVE_KINDS.find((kind) => kind === noun) ?? "text");
}
