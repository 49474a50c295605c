import type { AnyCommand } from "../commands/command.ts";
import type { CommandSyntax } from "../commands/flags/syntax.ts";
import { filesOfWords } from "../completion/shipped-words.ts";
import type { PolicyWords } from "../completion/words.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { fieldAt, fieldPaths, type PolicyField, policyFields } from "../contract/policy.ts";
import { argumentValue, build, flagsOf, flagWords } from "./command-words.ts";
import { fieldMeanings } from "./field-meanings.ts";
import { factsOf } from "./help/command-facts.ts";
import { TOPICS } from "./help/topics.ts";
import { type ShippedCommand, type ShippedWords, shippedFlag } from "./parsing/shipped-commands.ts";
import { TREE } from "./tree.ts";

export async function completionWords(): Promise<ShippedWords> {
  const { program, files: none } = await build([]);
  const nouns = await Promise.all(program.commands.map((noun) => build([noun.name])));
  const commands = nouns.flatMap(({ program, files }, index) => {
    const noun = program.commands[index];
    return noun ? [buildWords(noun, files)] : [];
  });
  const resources = nouns.flatMap(({ files }) => [...files.values()].flatMap(({ resource }) => resource ?? []));
  return {
    program: { ...buildWords(program, none), commands },
    topics: Object.entries(TOPICS).map(([name, { summary }]) => ({ name, summary })),
    fields: Object.fromEntries(resources.map(({ one, fields }) => [one, fields])),
    meanings: Object.fromEntries(resources.map(({ one, fields }) => [one, fieldMeanings(one, fields)])),
    policies: policyWords(),
  };
}

export async function filesOfAllWords(): Promise<Record<string, object>> {
  return filesOfWords(await completionWords());
}

function policyWords(): PolicyWords[] {
  const keys = new Set(NETWORK_KINDS.flatMap((kind) => fieldPaths(policyFields[kind])));
  return [...keys].sort().map((key) => {
    const kinds = NETWORK_KINDS.filter((kind) => fieldAt(policyFields[kind], key));
    const fields = kinds.flatMap((kind) => fieldAt(policyFields[kind], key) ?? []);
    const values = new Set(fields.flatMap(listValues));
    return { key, summary: kinds.join(", "), values: [...values] };
  });
}

function listValues(field: PolicyField): readonly string[] {
  if (field.type === "flag") return ["true", "false"];
  return field.type === "word" ? (field.words ?? []) : [];
}

function buildWords(command: CommandSyntax, files: ReadonlyMap<CommandSyntax, AnyCommand>): ShippedCommand {
  const bare = bareVerb(command);
  const file = files.get(command);
  const { args = [], resource } = files.get(bare ?? command) ?? {};
  return {
    name: command.name,
    summary: command.summary,
    commands: command.commands.map((verb) => buildWords(verb, files)),
    flags: flagsOf(bare ?? command).map((flag) => ({ ...flagWords(flag), ...shippedFlag(flag) })),
    args: args.map((argument) => argumentValue(argument, command.name)),
    ...(args.at(-1)?.name.includes("...") && { many: true }),
    ...(resource && { resource: resource.one }),
    ...(file && { page: { about: command.about, ...factsOf(file) } }),
  };
}

function bareVerb(noun: CommandSyntax): CommandSyntax | undefined {
  const branch = Object.hasOwn(TREE, noun.name) ? TREE[noun.name] : undefined;
  if (!branch || !("verbs" in branch) || noun.parent?.parent) return undefined;
  return noun.commands.find(({ name }) => name === branch.bare);
}
