import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Arguments, Parameter, Tool } from "./tools.ts";

const MAX_TEXT = 512;
const MAX_ITEMS = 100;

/** Every tool takes it: where the rest of a long result begins. */
export const CURSOR: Parameter = { type: "string", description: "next_cursor of an earlier result" };

/** Returns the arguments of a call if they agree with the parameters of the tool, or what is wrong with them. */
export function readArguments(
  tool: Tool,
  given: JsonValue | undefined,
): { values: Arguments } | { problems: readonly string[] } {
  if (given !== undefined && !isJsonObject(given)) return { problems: ["arguments: must be an object"] };
  const parameters: Readonly<Record<string, Parameter>> = { ...tool.parameters, cursor: CURSOR };
  const values = { ...given };
  const missing = (tool.required ?? []).filter((name) => values[name] === undefined);
  const problems = [
    ...missing.map((name) => `${name}: is missing`),
    ...Object.entries(values).flatMap(([name, value]) => {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (!parameter) return [`unknown argument; choose from ${Object.keys(parameters).join(", ")}`];
      const rule = ruleBroken(parameter, value);
      return rule === undefined ? [] : [`${name}: ${rule}`];
    }),
  ];
  return problems.length > 0 ? { problems } : { values: values as Arguments };
}

function ruleBroken(parameter: Parameter, value: JsonValue): string | undefined {
  switch (parameter.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "integer":
      return numberRule(parameter, value);
    case "array":
      if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ITEMS)
        return `must be a list of 1 to ${MAX_ITEMS} texts`;
      return value.map(textRule).find((rule) => rule !== undefined);
    case "string":
      return parameter.enum && !parameter.enum.some((word) => word === value)
        ? `must be one of ${parameter.enum.join(", ")}`
        : textRule(value);
  }
}

function numberRule({ minimum = 0, maximum = 0 }: Parameter, value: JsonValue): string | undefined {
  const isWithin = typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum;
  return isWithin ? undefined : `must be an integer from ${minimum} to ${maximum}`;
}

/** A word that begins with a hyphen would be a flag, or stand for stdin. */
function textRule(value: JsonValue): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT)
    return `must be a text of 1 to ${MAX_TEXT} characters`;
  if (value.startsWith("-")) return "must not begin with a hyphen";
  return /[\p{Cc}\p{Cs}]/u.test(value) ? "must not contain control characters" : undefined;
}
