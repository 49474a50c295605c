import type { JsonObject, JsonValue } from "../../../../contract/json.ts";
import { Problems } from "../../../../contract/problems.ts";
import { validateBody } from "../../../../contract/requests/body-problems.ts";
import { updateRelayerSchema } from "../../../../contract/requests.ts";
import { DEFAULT_WEIGHT, maskRpcUrl } from "../../../../contract/rpc-url.ts";
import { rpcUrlCells } from "../../../../views/rpc-urls.ts";
import type { Subject } from "../draft.ts";
import { clearChoices, type Interview, leaveChoice } from "../interview.ts";

/** Prompts for the list of RPC URLs: the service masks existing ones, so all are kept or all are replaced. */
export async function askRpcUrls(interview: Interview, subject: Subject): Promise<JsonValue | undefined> {
  const { prompts, say } = interview;
  if (subject.now !== null) for (const { text } of rpcUrlCells(subject.now)) await say(`  ${text}`);
  const replace = {
    value: "replace" as const,
    name: subject.now === null ? "set a separate list" : "replace the whole list",
  };
  const choices = [leaveChoice(subject), replace, ...clearChoices(subject)];
  const move = await prompts.select<"replace" | null | undefined>(`${subject.label}:`, choices);
  if (move !== "replace") return move;
  const list = await askAll(interview, subject);
  return list.length === 0 ? undefined : list;
}

async function askAll(interview: Interview, { keep }: Subject): Promise<JsonObject[]> {
  const list: JsonObject[] = [];
  for (;;) {
    const next = await askOne(interview, list);
    if (!next) return list;
    list.push(next);
    keep([...list]);
  }
}

async function askOne({ prompts }: Interview, list: readonly JsonObject[]): Promise<JsonObject | undefined> {
  const url = await prompts.text(`RPC URL ${list.length + 1}, e.g. https://rpc.example.org (Enter when done):`, {
    validate: (text) => text === "" || verdict({ url: text }, list),
    shown: (text) => text && maskRpcUrl(text),
  });
  if (url === "") return undefined;
  const weight = await prompts.text("Its weight, 0 to 100:", {
    default: String(DEFAULT_WEIGHT),
    validate: (text) => (/^[0-9]+$/.test(text) ? verdict({ url, weight: BigInt(text) }, list) : WEIGHT_RULE),
  });
  return { url, weight: BigInt(weight) };
}

const WEIGHT_RULE = "a whole number from 0 to 100, e.g. 50";

function verdict(entry: JsonObject, list: readonly JsonObject[]): true | string {
  if (list.some(({ url }) => url === entry.url)) return "this URL is already in the list";
  const problems = new Problems();
  validateBody(problems, updateRelayerSchema, { custom_rpc_urls: [entry] }, (path) => path);
  const [problem] = problems.found;
  if (!problem) return true;
  return "weight" in entry ? WEIGHT_RULE : `${problem.rule}, e.g. https://rpc.example.org/v1/key`;
}
