import type { App } from "../../../app.ts";
import {
  type Abi,
  AbiError,
  type AbiItem,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  chooseFunction,
  encodeValues,
  type ReadArgument,
  readAbi,
  readArgument,
  typeText,
} from "../../../contract/abi.ts";
import type { Problems } from "../../../contract/problems.ts";
import { usageError } from "../../../errors.ts";
import { inputName, readJson } from "../../../session/input-file.ts";
import { addressIn, readLabels } from "../../../session/labels.ts";
import type { CallFlags } from "./call-flags.ts";

export async function readCall(
  app: App,
  flags: CallFlags & { data?: string },
  problems: Problems,
  value: unknown,
): Promise<string | undefined> {
  const before = problems.found.length;
  if (flags.data !== undefined) problems.add("--call", "cannot be combined with --data");
  const item = await readFunction(app, flags, problems);
  if (flags.call === undefined) problems.add(flags.arg ? "--arg" : "--abi", "requires --call: the function");
  if (!item) return undefined;
  if (item.isPayable === false && typeof value === "bigint" && value > 0n)
    problems.add("--value", `must be 0: ${item.signature} is not payable, and the call would revert`);
  const values = await readArguments(app, item, flags.arg ?? [], problems);
  return problems.found.length > before ? undefined : item.selector + encodeValues(item.inputs, values).slice(2);
}

export async function readFunction(app: App, flags: CallFlags, problems: Problems): Promise<AbiItem | undefined> {
  const { call, abi: path } = flags;
  const abi = path === undefined ? undefined : await problems.gather(() => readAbiFile(app, path));
  if (call === undefined || (path !== undefined && !abi)) return undefined;
  try {
    return chooseFunction(call, abi);
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    problems.add("--call", error.message, call);
    return undefined;
  }
}

/** @throws RelayctlError usage */
export async function readAbiFile(app: App, path: string): Promise<Abi> {
  const document = await readJson(app, path);
  try {
    return readAbi(document);
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    throw usageError([{ where: inputName(path), rule: error.message }]);
  }
}

export async function readTyped(app: App, type: AbiType, text: string, unknown = () => {}): Promise<ReadArgument> {
  const labels = text.includes("@") ? await readLabels(app) : [];
  return readArgument(type, text, (typed) => {
    const found = addressIn(labels, "evm", typed);
    if ("rule" in found) unknown();
    return found;
  });
}

async function readArguments(
  app: App,
  { inputs, signature }: AbiItem,
  typed: readonly string[],
  problems: Problems,
): Promise<AbiValue[]> {
  if (typed.length !== inputs.length) {
    const missing = inputs.slice(typed.length).map((_, index) => parameterText(inputs, typed.length + index));
    const words = missing.length > 0 ? `; missing: ${missing.join(", ")}` : "";
    const count = inputs.length === 1 ? "1 argument" : `${inputs.length} arguments`;
    problems.add("--arg", `${signature} takes ${count}, and ${typed.length} given${words}`);
  }
  const values: AbiValue[] = [];
  for (const [index, { type }] of inputs.slice(0, typed.length).entries()) {
    const text = typed[index] ?? "";
    const found = await readTyped(app, type, text, () => {
      problems.hint = "relayctl label list";
    });
    if ("value" in found) values.push(found.value);
    else
      for (const { path, rule } of found.problems)
        problems.add(`--arg ${argumentText(inputs, index)}${path && ` ${path}`}`, rule, text);
  }
  return values;
}

function argumentText(inputs: readonly AbiParameter[], index: number): string {
  const name = inputs[index]?.name ?? "";
  return `${index + 1}${name && ` (${name})`}`;
}

export function parameterText(inputs: readonly AbiParameter[], index: number): string {
  const { name = "", type } = inputs[index] ?? {};
  return `${name || `argument ${index + 1}`}${type ? ` (${typeText(type)})` : ""}`;
}
