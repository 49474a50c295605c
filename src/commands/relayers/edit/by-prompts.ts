import { symbolFor } from "../../../coins/coin-symbol.ts";
import { messageWriter } from "../../../command-support/printing.ts";
import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import { idProblem } from "../../../contract/id.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type PolicyField, policyFieldCurrency } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { updateRelayerSchema } from "../../../contract/requests.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { DEFAULT_WEIGHT, maskRpcUrl } from "../../../contract/rpc-url.ts";
import { stateCell } from "../../../relayer-state/state.ts";
import { readLabels } from "../../../session/labels.ts";
import type { Choice, Prompts } from "../../../terminal/prompts.ts";
import { toCell } from "../../../terminal/view.ts";
import { relayerNetworkCell } from "../../../views/relayer.ts";
import {
  type Draft,
  missingRelayerParts,
  type Part,
  relayerDraft,
  relayerFieldParts,
  relayerPartAnswered,
  relayerPartAround,
  relayerPartSubject,
  relayerParts,
  relayerPartsInOrder,
  relayerPartsNote,
  type Subject,
} from "../../../views/relayer-parts.ts";
import { rpcUrlCells } from "../../../views/rpc-url-flags.ts";
import type { Call } from "../../command.ts";
import { notificationChoices } from "../../resource-arguments.ts";
import {
  chooseOne,
  type Interview,
  leaveChoice,
  listClearChoices,
  listPartChoices,
  promptForList,
  valueChoices,
} from "./prompts/list.ts";
import { fieldTextForm, parseFieldText } from "./read-field-text.ts";

export async function editByPrompts(call: Call, relayer: Relayer, keep: (value: JsonObject) => void): Promise<Relayer> {
  const session = await call.session();
  const { name, flags } = session;
  const prompts = await call.app.prompts();
  const say = messageWriter(call.app, { color: call.common.color });
  for (const line of [stateLine(relayer, name), ...relayerPartsNote(relayer, flags)]) await say(line);
  const parts = relayerParts(relayer, await symbolFor(session, relayer));
  const marked = await prompts.checkbox("What do you want to change?", listPartChoices(parts, relayer));
  const isAsked = marked.some(({ field }) => field.type === "notification");
  const notifications = isAsked ? await notificationChoices(call) : [];
  const interview = await editInterview(call, notifications);
  return await editByInterview(interview, relayer, marked, keep);
}

export async function editInterview(call: Call, notifications: Interview["notifications"] = []): Promise<Interview> {
  const interview: Interview = {
    prompts: await call.app.prompts(),
    say: messageWriter(call.app, { color: call.common.color }),
    labels: () => readLabels(call.app),
    notifications,
    ask: async (draft, parts) => {
      let changed = draft;
      for (const part of relayerPartsInOrder(parts, draft.value)) changed = await askPart(interview, changed, part);
      return changed;
    },
  };
  return interview;
}

export async function editByInterview(
  interview: Interview,
  relayer: Relayer,
  marked: readonly Part[],
  keep: (edited: JsonObject) => void,
): Promise<Relayer> {
  let draft = await interview.ask(relayerDraft(relayer, keep), marked);
  for (let [gap] = missingRelayerParts(relayer, draft.value); gap; [gap] = missingRelayerParts(relayer, draft.value)) {
    await interview.say(`  ${gap.path}: ${gap.rule}`);
    draft = await interview.ask(draft, [relayerPartAround(relayer, gap)]);
  }
  return { ...draft.value, id: relayer.id };
}

function stateLine(relayer: Relayer, context: string): string {
  const { id, name } = relayer;
  return [id, toCell(name).text, relayerNetworkCell(relayer).text, stateCell(relayer).text, context].join(" · ");
}

async function askPart(interview: Interview, draft: Draft, part: Part): Promise<Draft> {
  const { field } = part;
  const subject = relayerPartSubject(draft, part);
  if (field.type === "object") return await askObject(interview, draft, part, field);
  return relayerPartAnswered(draft, part, await readAnswer(interview, subject, field));
}

/** Prompts for a name, which cannot be cleared: the service requires one (facts 4.5). */
async function askName({ prompts }: Interview, { label, now }: Subject): Promise<JsonValue | undefined> {
  const typed = await prompts.text(`New ${label} (Enter keeps ${toCell(now).text}):`);
  return typed === "" ? undefined : typed;
}

function askState({ prompts }: Interview, subject: Subject): Promise<JsonValue | undefined> {
  const other =
    subject.now === true
      ? { value: false, name: "resume: new work is accepted again" }
      : { value: true, name: `pause: ${effectTexts.whilePaused}` };
  return prompts.select<boolean | undefined>(`${subject.label}:`, [leaveChoice(subject), other]);
}

function askNotification({ prompts, notifications }: Interview, subject: Subject): Promise<JsonValue | undefined> {
  const others = notifications.filter(({ value }) => value !== subject.now && idProblem(value) === undefined);
  const choices: Choice<string | null | undefined>[] = [leaveChoice(subject), ...listClearChoices(subject), ...others];
  return chooseOne(prompts, `${subject.label}:`, choices);
}

function readAnswer(interview: Interview, subject: Subject, field: Exclude<Part["field"], { type: "object" }>) {
  switch (field.type) {
    case "name":
      return askName(interview, subject);
    case "state":
      return askState(interview, subject);
    case "notification":
      return askNotification(interview, subject);
    case "rpc_urls":
      return askRpcUrls(interview, subject);
    case "flag":
      return askOneOf(interview, subject, [true, false]);
    case "list":
      return promptForList(interview, subject, field);
    case "word":
      return field.words ? askOneOf(interview, subject, field.words) : askTyped(interview, subject, field);
    default:
      return askTyped(interview, subject, field);
  }
}

async function askObject(
  { prompts, ask }: Interview,
  draft: Draft,
  part: Part,
  { fields }: PolicyField & { type: "object" },
): Promise<Draft> {
  const move = await askMove(prompts, relayerPartSubject(draft, part), ["set its fields", "change its fields"]);
  if (move !== "set") return relayerPartAnswered(draft, part, move);
  const parts = relayerFieldParts(fields, `${part.path}.`);
  return await ask(
    draft,
    await prompts.checkbox(`What do you want to change in ${part.label}?`, listPartChoices(parts, draft.value)),
  );
}

/** Prompts for one of a few values. @returns absent to keep it, null to clear it */
async function askOneOf({ prompts }: Interview, subject: Subject, values: readonly (string | boolean)[]) {
  const choices = [leaveChoice(subject), ...valueChoices(values, subject), ...listClearChoices(subject)];
  return await prompts.select<string | boolean | null | undefined>(`${subject.label}:`, choices);
}

async function askTyped(interview: Interview, subject: Subject, field: PolicyField): Promise<JsonValue | undefined> {
  const move = await askMove(interview.prompts, subject, ["set it", "set another"]);
  return move === "set" ? await askText(interview, subject, field) : move;
}

async function askMove(prompts: Prompts, subject: Subject, [first, another]: readonly [string, string]) {
  const set = { value: "set" as const, name: subject.now === null ? first : another };
  const choices = [leaveChoice(subject), set, ...listClearChoices(subject)];
  return await prompts.select<"set" | null | undefined>(`${subject.label}:`, choices);
}

async function askText({ prompts }: Interview, subject: Subject, field: PolicyField): Promise<JsonValue | undefined> {
  const form = fieldTextForm(field);
  const typed = await prompts.text(`New ${subject.label}${form && `, ${form}`} (Enter ${skipText(subject)}):`, {
    validate: (text) => text === "" || validateAnswer(text, subject, field),
  });
  if (typed === "") return undefined;
  const reading = parseFieldText(typed, field);
  return "value" in reading ? reading.value : undefined;
}

function skipText({ now, field }: Subject): string {
  if (now === null) return "to skip";
  const amount = field.type === "amount" ? wireAmount(now) : undefined;
  if (amount !== undefined && field.type === "amount")
    return `keeps ${formatAmount(amount, policyFieldCurrency(field, amount))}`;
  return `keeps ${toCell(now).text}`;
}

function validateAnswer(text: string, { broken }: Subject, field: PolicyField): true | string {
  const reading = parseFieldText(text, field);
  return "problem" in reading ? reading.problem : (broken(reading.value) ?? true);
}

/** Prompts for the list of RPC URLs: the service masks existing ones, so all are kept or all are replaced. */
async function askRpcUrls(interview: Interview, subject: Subject): Promise<JsonValue | undefined> {
  const { prompts, say } = interview;
  if (subject.now !== null) for (const { text } of rpcUrlCells(subject.now)) await say(`  ${text}`);
  const move = await askMove(prompts, subject, ["set a separate list", "replace the whole list"]);
  if (move !== "set") return move;
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
    validate: (text) => text === "" || urlVerdict({ url: text }, list),
    shown: (text) => text && maskRpcUrl(text),
  });
  if (url === "") return undefined;
  const weight = await prompts.text("Its weight, 0 to 100:", {
    default: String(DEFAULT_WEIGHT),
    validate: (text) => (/^[0-9]+$/.test(text) ? urlVerdict({ url, weight: BigInt(text) }, list) : WEIGHT_RULE),
  });
  return { url, weight: BigInt(weight) };
}

const WEIGHT_RULE = "a whole number from 0 to 100, e.g. 50";

function urlVerdict(entry: JsonObject, list: readonly JsonObject[]): true | string {
  if (list.some(({ url }) => url === entry.url)) return "this URL is already in the list";
  const problems = new Problems();
  validateBody(problems, updateRelayerSchema, { custom_rpc_urls: [entry] }, (path) => path);
  const [problem] = problems.found;
  if (!problem) return true;
  return "weight" in entry ? WEIGHT_RULE : `${problem.rule}, e.g. https://rpc.example.org/v1/key`;
}
