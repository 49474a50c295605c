import type { Credentials } from "../contract/wire.ts";
import { RelayctlError, usageError } from "../errors.ts";
import { didYouMean } from "../nearest.ts";
import type { Config, Context } from "./config.ts";
import { PROJECT_NAME } from "./project/project.ts";
import type { Sourced } from "./sourced.ts";

export type ChosenContext = NonNullable<ReturnType<typeof chooseContext>>;

/** Returns why a text cannot be a context's name, or undefined. It is typed to confirm, so must be typable. */
export function contextNameProblem(name: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return undefined;
  return "a context's name has 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit";
}

/** Returns a context. @param file the project file that selects it @throws RelayctlError not_found, with known names */
export function contextNamed(config: Config, name: string, file?: string): Context {
  const context = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined;
  if (context) return context;
  const known = Object.keys(config.contexts).sort();
  throw new RelayctlError("not_found", `unknown context "${name}"${didYouMean([name], known)}`, {
    because: [
      ...(file === undefined ? [] : [`${file} selects it`]),
      known.length > 0 ? `known contexts: ${known.join(", ")}` : "there are no contexts yet",
    ],
    hint: known.length > 0 ? "relayctl context list" : "relayctl auth login",
  });
}

/** Returns the specified or current context. @throws RelayctlError not_found; usage for several */
export function chooseContext(config: Config, named: Sourced<string> | undefined) {
  if (named && isContextList(named.value) && !Object.hasOwn(config.contexts, named.value))
    throw usageError([{ where: named.from, given: named.value, rule: "is not the name of one context" }]);
  const chosen = named ?? (config.current === undefined ? undefined : { value: config.current, from: "config.json" });
  if (!chosen) return undefined;
  const { value: name, from } = chosen;
  return { name, from, context: contextNamed(config, name, from.endsWith(PROJECT_NAME) ? from : undefined) };
}

/** Returns whether a text is a list or a pattern, whose characters no context's name has. */
export function isContextList(text: string): boolean {
  return /[,*?]/.test(text);
}

/** Returns a context that keeps credentials in the config, or in the store whose `token_command` prints them. */
export function contextWithCredentials(
  { headers: _, token: __, token_command: ___, ...context }: Context,
  { token, headers = {} }: Credentials,
  tokenCommand: string[] | undefined,
): Context {
  const names = Object.keys(headers);
  const stored = tokenCommand ? Object.fromEntries(names.map((name) => [name, null])) : headers;
  return {
    ...context,
    ...(tokenCommand ? { token_command: tokenCommand } : { token }),
    ...(names.length > 0 && { headers: stored }),
  };
}
