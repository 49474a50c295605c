import { usageError } from "../../errors.ts";
import { shellVariable } from "../request-body/body-placeholders.ts";

/** JSON's escapes, and the sed commands that write them. */
const ESCAPES: readonly { found: RegExp; command: string }[] = [
  { found: /["\\]/, command: String.raw`'s/["\\]/\\&/g'` },
  { found: /\t/, command: String.raw`"s/$(printf '\t')/\\\\t/g"` },
  { found: /\r/, command: String.raw`"s/$(printf '\r')/\\\\r/g"` },
  { found: /\n/, command: String.raw`'$!s/$/\\n/'` },
];

/** Returns whether a secret needs no escape in JSON. */
export function isPlainInJson(secret: string): boolean {
  return !/["\\]|[\0-\x1f]/.test(secret);
}

/**
 * Returns a shell substitution with the JSON-escaped secret in a variable.
 * @throws RelayctlError usage for a secret with a control character that is not a space or a line ending
 */
export function jsonOfVariable(name: string, secret: string): string {
  if (isPlainInJson(secret)) return `"${shellVariable(name)}"`;
  if (/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(secret))
    throw usageError([{ where: "--curl", rule: `cannot show the secret ${name}, which contains a control character` }]);
  const commands = ESCAPES.filter(({ found }) => found.test(secret)).map(({ command }) => `-e ${command}`);
  return `"$(printf '%s\\n' "${shellVariable(name)}" | sed ${commands.join(" ")} | tr -d '\\n')"`;
}
