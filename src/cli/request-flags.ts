import { readOnlyRefusal } from "../client/read-only.ts";
import { type CommonFlags, LIMIT_FLAGS, REACH_FLAGS } from "../command-support/common-flags.ts";
import { isDryRun } from "../command-support/shown.ts";
import type { AnyCommand, CommandSyntax, Sends } from "../commands/command.ts";
import { type Environment, readOnlyPlace } from "../config/environment.ts";
import type { Problems } from "../contract/problems.ts";
import { namesInHelp } from "./help/help-of.ts";

export function sendsRequest(sends: Sends): boolean {
  return !["nothing", "journal", "probe", "deliveries"].includes(sends);
}

const WRITES: readonly Sends[] = ["patch", "create", "remove", "once"];

export function requestSendsWrites(sends: Sends): boolean {
  return WRITES.includes(sends);
}

export function requestMaySendWrites({ sends, alsoSends = [] }: Pick<AnyCommand, "sends" | "alsoSends">): boolean {
  return [sends, ...alsoSends].some((kind) => requestSendsWrites(kind) || kind === "anything");
}

/** What a command can do to the service; `local` sends nothing to it. */
export type CommandEffect = "local" | "read" | "write" | "money";

export function requestEffect(file: AnyCommand): CommandEffect {
  const { sends, spends } = file;
  if (spends) return "money";
  if (requestMaySendWrites(file)) return "write";
  return sends === "nothing" || sends === "deliveries" ? "local" : "read";
}

/** Refuses a command that does more than read before it prompts, unless its request is shown. @throws declined */
export function refuseReadOnlyFlags(
  env: Environment,
  common: CommonFlags,
  { file, command }: { file: AnyCommand; command: CommandSyntax },
): void {
  const place = readOnlyPlace(env);
  if (place === undefined || isDryRun({ common }) || file.mayOnlyAsk) return;
  const effect = requestEffect(file);
  if (effect === "write" || effect === "money") throw readOnlyRefusal(namesInHelp(command).join(" "), place);
}

export type CommonFlag = keyof CommonFlags;

/** Flags about output and prompts. An alias can contain them, and `yes` and `verbose` (decision 125). */
const ANYWHERE: readonly CommonFlag[] = ["output", "json", "color", "pager", "quiet", "input"];

const DATA: readonly CommonFlag[] = ["query", "headers"];
const SHOWN: readonly CommonFlag[] = ["dryRun", "curl"];

const TAKEN: Partial<Record<Sends, readonly CommonFlag[]>> = {
  nothing: [],
  journal: ["context", "server", "tokenFile", "allowHttp", "demo"],
  probe: [...REACH_FLAGS, ...LIMIT_FLAGS],
  deliveries: [...SHOWN, "caFile", "proxy", "timeout", "deadline"],
};

/** Returns the common flags with an effect on a command; help and completion omit the others. */
export function requestFlagsTaken(file: AnyCommand, hasData: boolean): CommonFlag[] {
  const { sends, takes = [], refuses = {}, resource, ends } = file;
  const mayAsk = refuses.confirm === undefined && (requestMaySendWrites(file) || ends?.declined !== undefined);
  const isLocal = (sends === "nothing" && !takes.includes("server")) || sends === "journal";
  const taken = new Set([
    ...ANYWHERE,
    ...(mayAsk ? (["yes"] as const) : []),
    ...(isLocal ? [] : (["verbose"] as const)),
    ...(hasData ? DATA : []),
    ...(resource ? (["fields"] as const) : []),
    ...(TAKEN[sends] ?? [...REACH_FLAGS, "demo", ...LIMIT_FLAGS, ...SHOWN]),
    ...(requestMaySendWrites(file) ? (["confirm", "reason"] as const) : []),
    ...takes,
  ]);
  return [...taken].filter((flag) => refuses[flag] === undefined);
}

const WHY: Partial<Record<CommonFlag, string>> = {
  reason: "this command writes nothing",
  confirm: "this command never asks for a word",
  demo: "this command does not use the demo",
  dryRun: "this command shows no request",
  curl: "this command shows no request",
  query: "this command prints no data",
  headers: "this command prints no data",
};

const ELSEWHERE = "this command sends nothing to the service";

/** Refuses an empty reason, and the common flags without an effect: a dry run that changes something would break its promise. */
export async function refuseRequestFlags(
  problems: Problems,
  common: CommonFlags,
  { file, command }: { file: AnyCommand; command: CommandSyntax },
): Promise<void> {
  const typed = (flag: CommonFlag) => common[flag] !== undefined;
  const hasData = DATA.some(typed) && (await printsData(command));
  const refused = [
    ...REACH_FLAGS,
    "demo",
    ...LIMIT_FLAGS,
    ...SHOWN,
    "confirm",
    "reason",
    ...DATA,
    "output",
    "json",
  ] as const;
  const taken = requestFlagsTaken(file, hasData);
  if (common.reason?.trim() === "") problems.add("--reason", "is empty");
  for (const flag of refused) {
    if (!typed(flag) || taken.includes(flag)) continue;
    problems.add(requestFlagName(flag), file.refuses?.[flag] ?? `not supported: ${WHY[flag] ?? ELSEWHERE}`);
  }
}

async function printsData(command: CommandSyntax): Promise<boolean> {
  const { outputShapesOf } = await import("./help/output-schemas.ts");
  return outputShapesOf(namesInHelp(command).join(" ")).length > 0;
}

export function requestFlagName(attribute: string): string {
  return `--${attribute.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
