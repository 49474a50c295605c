import type { App } from "../../../app.ts";
import { askText, flagWords } from "../../../command-support/prompting/prompts.ts";
import {
  AbiError,
  type AbiItem,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  abiCallText,
  abiTypeText,
  chooseAbiFunction,
  type DescribedCall,
  describeAbiCall,
  encodeAbiValues,
  exampleAbiValue,
  type ReadArgument,
  readAbiArgument,
} from "../../../contract/abi.ts";
import { Problems } from "../../../contract/problems.ts";
import { readAbiFile } from "../../../session/abis.ts";
import { addressInLabels, readLabels } from "../../../session/labels.ts";
import type { Session } from "../../../session/session.ts";
import { escapeText } from "../../../terminal/escape.ts";
import type { Call } from "../../command.ts";

export interface CallFlags {
  call?: string;
  arg?: string[];
  abi?: string;
}

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
  return problems.found.length > before ? undefined : item.selector + encodeAbiValues(item.inputs, values).slice(2);
}

async function readFunction(app: App, flags: CallFlags, problems: Problems): Promise<AbiItem | undefined> {
  const { call, abi: path } = flags;
  const abi = path === undefined ? undefined : await problems.gather(() => readAbiFile(app, path));
  if (call === undefined || (path !== undefined && !abi)) return undefined;
  try {
    return chooseAbiFunction(call, abi);
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    problems.add("--call", error.message, call);
    return undefined;
  }
}

async function readTyped(app: App, type: AbiType, text: string, unknown = () => {}): Promise<ReadArgument> {
  const labels = text.includes("@") ? await readLabels(app) : [];
  return readAbiArgument(type, text, (typed) => {
    const found = addressInLabels(labels, "evm", typed);
    if ("rule" in found) unknown();
    return found;
  });
}

async function readArguments(app: App, { inputs, signature }: AbiItem, typed: readonly string[], problems: Problems) {
  if (typed.length !== inputs.length) {
    const missing = inputs.slice(typed.length).map((_, index) => parameterText(inputs, typed.length + index));
    const words = missing.length > 0 ? `; missing: ${missing.join(", ")}` : "";
    const count = inputs.length === 1 ? "1 argument" : `${inputs.length} arguments`;
    problems.add("--arg", `${signature} takes ${count}, but got ${typed.length}${words}`);
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

function parameterText(inputs: readonly AbiParameter[], index: number): string {
  const { name = "", type } = inputs[index] ?? {};
  return `${name || `argument ${index + 1}`}${type ? ` (${abiTypeText(type)})` : ""}`;
}

/** Describes the call of data by all known ABIs, and notes the files that are none. */
export async function describeCall({ abis, say }: Pick<Session, "abis" | "say">, data: string): Promise<DescribedCall> {
  return describeAbiCall(data, await abis(say)) ?? { lines: [], isWhole: false };
}

export async function readCalls({
  abis,
  say,
}: Pick<Session, "abis" | "say">): Promise<(data: string) => string | undefined> {
  const known = await abis(say);
  return (data) => abiCallText(data, known);
}

export async function askCall<Flags extends CallFlags>({ app, entered, flags }: Call<Flags>): Promise<Flags> {
  const problems = new Problems();
  const chosen = flags.call ?? (await askFunction(app, flags.abi, problems));
  const item = chosen === undefined ? undefined : await readFunction(app, { ...flags, call: chosen }, problems);
  const typed = flags.arg ?? [];
  if (!item || problems.found.length > 0 || (await breaksType(app, item, typed))) return flags;
  if (flags.call === undefined) entered.add(["--call", item.signature]);
  const prompts = await app.prompts();
  const args = [...typed];
  for (const { type } of item.inputs.slice(typed.length)) {
    const problem = async (text: string) => {
      const found = await readTyped(app, type, text);
      const [first] = "problems" in found ? found.problems : [];
      return first && `${first.path && `${first.path} `}${first.rule}`;
    };
    const question = `${escapeText(parameterText(item.inputs, args.length))}:`;
    const answer = await askText(prompts, { question, example: exampleAbiValue(type), problem });
    if (answer === undefined) return flags;
    args.push(answer);
    entered.add(flagWords("--arg", answer));
  }
  return { ...flags, call: item.signature, ...(args.length > 0 && { arg: args }) };
}

async function askFunction(app: Call["app"], path: string | undefined, problems: Problems) {
  const abi = path === undefined ? undefined : await problems.gather(() => readAbiFile(app, path));
  if (!abi || abi.functions.length === 0) return undefined;
  const choices = abi.functions.map(({ signature }) => ({ value: signature, name: signature }));
  return await (await app.prompts()).search("Function to call:", choices);
}

async function breaksType(app: Call["app"], { inputs }: AbiItem, typed: readonly string[]): Promise<boolean> {
  for (const [index, text] of typed.entries()) {
    const type = inputs[index]?.type;
    if (type === undefined || "problems" in (await readTyped(app, type, text))) return true;
  }
  return false;
}
