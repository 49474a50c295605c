import type { Command, Option } from "commander";
import type { AnyCommand, Argument } from "../commands/command.ts";
import { RECORDED_OPERATIONS } from "../commands/history/filter.ts";
import {
  type CommandWords,
  type FlagWords,
  LIVE_KINDS,
  type PolicyWords,
  type Value,
  type Words,
} from "../completion/words.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { fieldAt, fieldPaths, type PolicyField, policyFields } from "../contract/policy.ts";
import { type FieldTable, sentFields } from "../contract/resources/field.ts";
import { relayerFields } from "../contract/resources/relayer.ts";
import { fieldMeanings } from "./field-meanings.ts";
import { TOPICS } from "./help/topics.ts";
import { buildProgram, PLAIN_PAPERS } from "./program.ts";
import { TREE } from "./tree.ts";

type Files = ReadonlyMap<Command, AnyCommand>;

/** Returns everything that can be typed, from commander's tree and from the arguments and output of each command. */
export async function completionWords(): Promise<Words> {
  const { program, files: none } = await build([]);
  const nouns = await Promise.all(visibleCommands(program).map((noun) => build([noun.name()])));
  const commands = nouns.flatMap(({ program, files }, index) => {
    const noun = visibleCommands(program)[index];
    return noun ? [wordsOf(noun, files)] : [];
  });
  const resources = nouns.flatMap(({ files }) => [...files.values()].flatMap(({ resource }) => resource ?? []));
  return {
    program: { ...wordsOf(program, none), commands },
    topics: Object.entries(TOPICS).map(([name, { summary }]) => ({ name, summary })),
    fields: Object.fromEntries(resources.map(({ one, fields }) => [one, fields])),
    meanings: Object.fromEntries(resources.map(({ one, fields }) => [one, fieldMeanings(one, fields)])),
    policies: policyWords(),
  };
}

/** Returns every policy key, with the kinds of network that have it. */
function policyWords(): PolicyWords[] {
  const keys = new Set(NETWORK_KINDS.flatMap((kind) => fieldPaths(policyFields[kind])));
  return [...keys].sort().map((key) => {
    const kinds = NETWORK_KINDS.filter((kind) => fieldAt(policyFields[kind], key));
    const fields = kinds.flatMap((kind) => fieldAt(policyFields[kind], key) ?? []);
    const values = new Set(fields.flatMap(valuesOf));
    return { key, summary: kinds.join(", "), values: [...values] };
  });
}

function valuesOf(field: PolicyField): readonly string[] {
  if (field.type === "flag") return ["true", "false"];
  return field.type === "word" ? (field.words ?? []) : [];
}

function build(argv: readonly string[]) {
  return buildProgram(argv, { out: "", err: "" }, PLAIN_PAPERS);
}

/** Returns the commands in help, without commander's own `help`, which applies to every command. */
function visibleCommands(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((verb) => visible.includes(verb));
}

function wordsOf(command: Command, files: Files): CommandWords {
  const bare = bareVerb(command);
  const { args = [], resource } = files.get(bare ?? command) ?? {};
  return {
    name: command.name(),
    summary: command.summary(),
    commands: visibleCommands(command).map((verb) => wordsOf(verb, files)),
    flags: command
      .createHelp()
      .visibleOptions(bare ?? command)
      .map(flagWords),
    args: args.map((argument) => argumentValue(argument, command.name())),
    ...(args.at(-1)?.name.includes("...") && { many: true }),
    ...(resource && { resource: resource.one }),
  };
}

/** Returns the verb that a noun alone stands for. */
function bareVerb(noun: Command): Command | undefined {
  const branch = Object.hasOwn(TREE, noun.name()) ? TREE[noun.name()] : undefined;
  if (!branch || !("group" in branch) || noun.parent?.parent) return undefined;
  return noun.commands.find((verb) => verb.name() === branch.bare);
}

function flagWords(option: Option): FlagWords {
  const takesValue = option.required || option.optional;
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    summary: option.description,
    ...(takesValue && { value: flagValue(option) }),
    ...(option.parseArg && { repeats: true }),
  };
}

const BY_FLAG: Readonly<Record<string, Value>> = {
  "--context": "context",
  ...idFlags(relayerFields),
  "--fields": "fields",
  "--operation": RECORDED_OPERATIONS,
  "--relayer": "relayer",
  "--sort": "order",
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
  return value ?? (flags.endsWith("<file>") ? "file" : "text");
}

/** A mined transaction can be neither replaced nor canceled (facts 5.4). */
const FOR_PENDING = ["replace", "cancel"];

function argumentValue({ noun, words }: Argument, verb: string): Value {
  if (words) return words;
  if (noun === "transaction" && FOR_PENDING.includes(verb)) return "pending-transaction";
  return noun === "context" ? noun : (LIVE_KINDS.find((kind) => kind === noun) ?? "text");
}
