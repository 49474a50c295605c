import type { AnyCommand, Argument, CommandSyntax, Flag } from "../../commands/command.ts";
import type { Value } from "../../completion/words.ts";
import { type JsonObject, type JsonValue, prettyJson } from "../../contract/json.ts";
import { EXIT_CODES } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { argumentWords, buildCommandWords, commandFlagWords, flagsInCommandWords } from "../command-words.ts";
import { unknownCommand } from "../mistake.ts";
import { commandInArgv } from "../parsing/argv.ts";
import type { AllWords, CommandSource } from "../parsing/command-source.ts";
import { buildProgram } from "../program.ts";
import { requestEffect, requestFlagName, requestFlagsTaken } from "../request-flags.ts";
import { exitCodesOf } from "./exit-codes.ts";
import { namesInHelp } from "./help-of.ts";
import { outputShapesOf } from "./output-schemas.ts";

/** Increased if a member is removed or changes its meaning, not if one is added. */
const FORMAT = 1;

/** Reads the tree that completion uses. @param words noun and verb; others are left out @throws RelayctlError usage */
export async function programJson(
  words: readonly string[],
  source: CommandSource,
  allWords: AllWords,
): Promise<string> {
  const { program } = await buildCommandWords([]);
  const nouns = program.commands.filter((noun) => words[0] === undefined || noun.name === words[0]);
  if (nouns.length === 0) throw await unknownCommand(program, words[0] ?? "", allWords);
  const trees = await Promise.all(nouns.map((noun) => buildCommandWords([noun.name])));
  const texts = await readTexts(nouns, source);
  const commands = trees.flatMap(({ files }) =>
    [...files].map(([command, file]) => commandJson(texts.get(namesInHelp(command).join(" ")) ?? command, file)),
  );
  const shown = commands.filter(({ command }) => words.length < 2 || command === words.join(" "));
  if (shown.length === 0)
    throw await unknownCommand(commandInArgv(trees[0]?.program ?? program, words), words[1] ?? "", allWords);
  return `${prettyJson({
    format: FORMAT,
    program: "relayctl",
    version: VERSION,
    commands: shown,
    common_flags: flagsJson(program),
    exit_codes: Object.entries({ ok: 0, ...EXIT_CODES }).map(([word, code]) => ({ code, word })),
  })}\n`;
}

export function topicJson(topic: string, text: string): string {
  return `${prettyJson({ topic, text })}\n`;
}

async function readTexts(nouns: readonly CommandSyntax[], source: CommandSource) {
  const described = async ({ name }: CommandSyntax) =>
    (await buildProgram([name], source)).program.commands.filter((noun) => noun.name === name);
  const all = (await Promise.all(nouns.map(described))).flat().flatMap((noun) => [noun, ...noun.commands]);
  return new Map(all.map((command) => [namesInHelp(command).join(" "), command]));
}

function commandJson(command: CommandSyntax, file: AnyCommand) {
  const path = namesInHelp(command).join(" ");
  const output = outputShapesOf(path);
  return {
    command: path,
    summary: command.summary,
    description: command.about,
    effect: requestEffect(file),
    arguments: (file.args ?? []).map((argument) => argumentJson(argument, command.name)),
    flags: flagsJson(command),
    common_flags: requestFlagsTaken(file, output.length > 0).map(requestFlagName),
    output: output.map(({ schema, form }) => ({ schema: `docs/schemas/${schema}.json`, form })),
    examples: [...file.examples],
    exit_codes: exitCodesOf(file).map(({ code, words }) => ({ code, word: exitWord(code), meaning: words })),
    environment: [...(file.variables ?? [])],
  };
}

function exitWord(code: number): string {
  return Object.entries(EXIT_CODES).find(([, other]) => other === code)?.[0] ?? "ok";
}

function argumentJson(argument: Argument, verb: string): JsonObject {
  const { name, description, unless } = argument;
  return {
    name: name.replaceAll(/[<>[\].]/g, ""),
    description,
    required: name.startsWith("<") && !unless,
    repeatable: name.includes("..."),
    ...(unless && { unless: unless.map(requestFlagName) }),
    ...valueJson(argumentWords(argument, verb)),
  };
}

function flagsJson(command: CommandSyntax): JsonObject[] {
  return flagsInCommandWords(command).map(flagJson);
}

function flagJson(flag: Flag): JsonObject {
  const { names, summary, value, repeats = false } = commandFlagWords(flag);
  const placeholder = /<([^>.]+)/.exec(flag.flags)?.[1];
  return {
    names: [...names],
    description: summary,
    required: /[(;] ?required[);]/.test(summary),
    repeatable: repeats,
    default: DEFAULT.exec(summary)?.[1] ?? null,
    ...(placeholder !== undefined && { placeholder }),
    ...(value === undefined ? { type: "boolean" } : valueJson(value)),
  };
}

/** Matches a default in the text of a flag, where each stands once. */
const DEFAULT = /\bdefault: ([^;)]+)/;

function valueJson(value: Value): Record<string, JsonValue> {
  return typeof value === "string" ? { type: value } : { type: "choice", choices: [...value] };
}
