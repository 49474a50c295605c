import { resolve } from "node:path";
import type { CommonFlags } from "../../command-support/common-flags.ts";
import { parseServer } from "../../config/connection/origin.ts";
import { RuleError, validated } from "../../config/sourced.ts";
import { JsonSyntaxError, type JsonValue, parseJson } from "../../contract/json.ts";
import type { Problem } from "../../errors.ts";
import type { ContextChange } from "./change.ts";

/**
 * The flags of `context set`, with commander's names. The common `--server`, `--ca-file`, and `--allow-http` belong to
 * it too.
 */
export interface SetFlags {
  tokenCommand?: string[] | false;
  protected?: boolean;
  requireReason?: boolean;
  requireJournal?: boolean;
  /** False with `--no-ca-file`. */
  caFile?: boolean;
  /** False with `--no-allow-http`. */
  allowHttp?: boolean;
}

export function changeFromFlags(flags: SetFlags, common: CommonFlags, problems: Problem[]): ContextChange {
  const server =
    common.server === undefined
      ? undefined
      : validated({ value: common.server, from: "--server" }, parseServer, problems);
  const tokenCommand = flags.tokenCommand === false ? null : commandOf(flags.tokenCommand, problems);
  const caFile = caFileOf(flags, common, problems);
  const allowHttp = common.allowHttp ?? (flags.allowHttp === false ? false : undefined);
  return {
    ...(server && { server: server.value }),
    ...(tokenCommand !== undefined && { tokenCommand }),
    ...(flags.protected !== undefined && { protected: flags.protected }),
    ...(flags.requireReason !== undefined && { requireReason: flags.requireReason }),
    ...(flags.requireJournal !== undefined && { requireJournal: flags.requireJournal }),
    ...(caFile !== undefined && { caFile }),
    ...(allowHttp !== undefined && { allowHttp }),
  };
}

/** Returns the absolute path, since the context is used from any folder. */
function caFileOf(flags: SetFlags, { caFile }: CommonFlags, problems: Problem[]): string | null | undefined {
  if (caFile === undefined) return flags.caFile === false ? null : undefined;
  if (caFile === "") problems.push({ where: "--ca-file", rule: "is empty; --no-ca-file removes it" });
  return resolve(caFile);
}

/** Parses a command: one value is the whole command as JSON; several values are its words. */
function commandOf(values: readonly string[] | undefined, problems: Problem[]): string[] | undefined {
  if (values === undefined) return undefined;
  const [first = "", ...more] = values;
  if (more.length === 0 && /^\s*\[|\s/.test(first)) {
    return validated({ value: first, from: "--token-command" }, parseCommand, problems)?.value;
  }
  if (first === "") problems.push({ where: "--token-command", rule: "is empty; --no-token-command removes it" });
  return [...values];
}

function parseCommand(text: string): string[] {
  const value = parsed(text);
  const words = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
  if (Array.isArray(value) && words.length === value.length && words[0]) return words;
  throw new RuleError(`a program and its arguments as JSON, e.g. ["pass","relayctl"], or one word per flag`);
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}
