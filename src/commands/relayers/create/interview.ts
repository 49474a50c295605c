import { ifRouted } from "../../../client/read-named.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/prompts.ts";
import { dryRunReach } from "../../../command-support/shown.ts";
import { typedAmount, wireAmount } from "../../../contract/amount.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import {
  type PolicyField,
  type PolicyFields,
  policyFieldAt,
  policyFieldCurrency,
  policyFieldsOf,
} from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { bodyFlag } from "../../../contract/requests/body-problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import { relayerParts } from "../../../views/relayer-parts.ts";
import type { Call } from "../../command.ts";
import { networkChoices, notificationChoices, signerChoices } from "../../resource-arguments.ts";
import { creationIdQuestion } from "../../send-creation.ts";
import { editByInterview, editInterview } from "../edit/by-prompts.ts";
import { listPartChoices } from "../edit/prompts/list.ts";
import { type CreateFlags, REQUIRED, relayerCreationFromFlags, STRATEGY } from "./flags.ts";

async function askRequired(call: Call, body: JsonObject): Promise<Record<string, string>> {
  const name = body.name === undefined && enterAnswers(call, { name: await askNeeded(call, NAME) });
  const place = await askPlace(call, body);
  if (body.signer_id !== undefined) return { ...name, ...place };
  const signers = await choicesFrom(call, signerChoices);
  const signer_id = signers
    ? await (await call.app.prompts()).search("Signer:", signers)
    : await askNeeded(call, SIGNER);
  return { ...name, ...place, ...enterAnswers(call, { signer_id }) };
}

function enterAnswers({ entered }: Call, answers: Record<string, string>): Record<string, string> {
  for (const [field, answer] of Object.entries(answers)) entered.add(flagWords(bodyFlag(field), answer));
  return answers;
}

async function askPlace(call: Call, { network, network_type }: JsonObject): Promise<Record<string, string>> {
  const prompts = await call.app.prompts();
  if (network === undefined && network_type === undefined) {
    const known = await choicesFrom(call, networkChoices);
    if (known) return enterAnswers(call, networkFields(await prompts.search("Network:", known)));
  }
  const kinds = NETWORK_KINDS.map((kind) => ({ value: kind, name: kind }));
  return {
    ...(network_type === undefined &&
      enterAnswers(call, { network_type: await prompts.select("Network type:", kinds) })),
    ...(network === undefined && enterAnswers(call, { network: await askNeeded(call, NETWORK) })),
  };
}

function networkFields(id: string): Record<string, string> {
  const at = id.indexOf(":");
  return { network: id.slice(at + 1), network_type: id.slice(0, at) };
}

async function askNeeded(call: Call, question: TextQuestion): Promise<string> {
  return (await askText(await call.app.prompts(), question)) ?? "";
}

const NAME = textQuestion("Name:", "Mainnet 3");
const NETWORK = textQuestion("Network:", "sepolia");
const SIGNER = textQuestion("Signer:", "signer-1");

function textQuestion(text: string, example: string): TextQuestion {
  return { question: text, example, problem: () => undefined };
}

type Choices = readonly Choice<string>[];

/** Returns the choices; undefined if the value must be typed: in a dry run, or if the service lacks the list. */
async function choicesFrom(call: Call, list: (call: Call) => Promise<Choices>): Promise<Choices | undefined> {
  if (dryRunReach(call) === "nothing") return undefined;
  const choices = await ifRouted(list(call));
  return choices && choices.length > 0 ? choices : undefined;
}

export async function createRelayerInterview(call: Call<CreateFlags>): Promise<boolean> {
  const problems = new Problems();
  const body = await relayerCreationFromFlags(call, problems);
  // No prompts while typed input is wrong.
  if (problems.found.some(({ where }) => !isMissing(where, body))) return true;
  const answers = await askRequired(call, body);
  const relayer: Relayer = { ...body, ...answers, id: "" };
  if (call.flags.interactive) await askFields(call, body);
  if (call.flags.policy || call.flags.policies || body.policies) return true;
  const enterPolicies = call.entered.growing();
  const enter = (policies: PolicyTexts) =>
    enterPolicies(Object.entries(policies).flatMap(([path, text]) => flagWords("--policy", `${path}=${text}`)));
  const strategy = relayer.network_type === "stellar" ? await askStrategy(call) : {};
  enter(strategy);
  if (call.flags.interactive) enter(await askPolicies(call, relayer, strategy, enter));
  return true;
}

function isMissing(where: string, body: JsonObject): boolean {
  return where === STRATEGY || Object.keys(REQUIRED).some((field) => where === bodyFlag(field) && !(field in body));
}

async function askFields(call: Call, body: JsonObject): Promise<void> {
  const prompts = await call.app.prompts();
  if (body.id === undefined)
    call.entered.add(flagWords("--id", await askText(prompts, creationIdQuestion(call, "relayer", "eth-main-3"))));
  if (body.notification_id !== undefined) return;
  const choices = (await choicesFrom(call, notificationChoices)) ?? [];
  const none = { value: undefined, name: "none: its events are not reported" };
  const chosen = await prompts.search<string | undefined>("Notification:", [none, ...choices]);
  call.entered.add(flagWords("--notification-id", chosen));
}

/** Policies by dotted path, as typed after `--policy`. */
type PolicyTexts = Readonly<Record<string, string>>;

async function askStrategy(call: Call): Promise<PolicyTexts> {
  const prompts = await call.app.prompts();
  const strategies = [
    { value: "relayer", name: "relayer: the relayer pays the fees" },
    { value: "user", name: "user: the sender pays, in a token" },
  ];
  return { fee_payment_strategy: await prompts.select("Who pays the fees:", strategies) };
}

async function askPolicies(call: Call, relayer: Relayer, known: PolicyTexts, keep: (policies: PolicyTexts) => void) {
  const before: Relayer = { ...relayer, policies: { ...known } };
  const symbol = await symbolFor(await call.session(), relayer);
  const parts = relayerParts(relayer, symbol).filter(({ path }) => path.startsWith("policies."));
  const interview = await editInterview(call);
  const marked = await interview.prompts.checkbox("Which policies do you want to set?", listPartChoices(parts, before));
  const fields = policyFieldsOf(relayer.network_type, symbol);
  const texts = ({ policies }: JsonObject) => (isJsonObject(policies) ? buildTexts(policies, fields) : known);
  return texts(await editByInterview(interview, before, marked, (value) => keep(texts(value))));
}

function buildTexts(policies: JsonObject, fields: PolicyFields, prefix = ""): PolicyTexts {
  const texts = Object.entries(policies).flatMap(([key, value]): [string, string][] => {
    if (value === null) return [];
    const path = prefix + key;
    return isJsonObject(value)
      ? Object.entries(buildTexts(value, fields, `${path}.`))
      : [[path, typedText(value, policyFieldAt(fields, path))]];
  });
  return Object.fromEntries(texts);
}

/** Returns a value as typed. An amount keeps its unit: a small price without one would be refused. */
function typedText(value: JsonValue, field: PolicyField | undefined): string {
  const amount = field?.type === "amount" ? wireAmount(value) : undefined;
  if (field?.type === "amount" && amount !== undefined) return typedAmount(amount, policyFieldCurrency(field));
  return asText(value);
}
