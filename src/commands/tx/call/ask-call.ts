import { askText, flagWords } from "../../../command-support/prompting/ask-text.ts";
import { type AbiItem, exampleOf } from "../../../contract/abi.ts";
import { Problems } from "../../../contract/problems.ts";
import { visible } from "../../../terminal/escape.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";
import { parameterText, readAbiFile, readFunction, readTyped } from "./read-call.ts";

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
    const question = `${visible(parameterText(item.inputs, args.length))}:`;
    const answer = await askText(prompts, { question, example: exampleOf(type), problem });
    if (answer === undefined) return flags;
    args.push(answer);
    entered.add(flagWords("--arg", answer));
  }
  return { ...flags, call: item.signature, ...(args.length > 0 && { arg: args }) };
}

async function askFunction(
  app: Call["app"],
  path: string | undefined,
  problems: Problems,
): Promise<string | undefined> {
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
