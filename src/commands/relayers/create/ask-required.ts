import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/ask-text.ts";
import { flagOf } from "../../../command-support/request-body/body-problems.ts";
import { reachOf } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import type { Call } from "../../command.ts";
import { networkChoices } from "../../networks/choices.ts";
import { signerChoices } from "../../signers/choices.ts";

/** Prompts for the missing required fields. */
export async function askRequired(call: Call, body: JsonObject): Promise<Record<string, string>> {
  const name = body.name === undefined && enter(call, { name: await needed(call, NAME) });
  const place = await askPlace(call, body);
  if (body.signer_id !== undefined) return { ...name, ...place };
  const signers = await choicesFrom(call, signerChoices);
  const signer_id = signers ? await (await call.app.prompts()).search("Signer:", signers) : await needed(call, SIGNER);
  return { ...name, ...place, ...enter(call, { signer_id }) };
}

function enter({ entered }: Call, answers: Record<string, string>): Record<string, string> {
  for (const [field, answer] of Object.entries(answers)) entered.add(flagWords(flagOf(field), answer));
  return answers;
}

/** Prompts for the network and its kind: one choice if neither is known. */
async function askPlace(call: Call, { network, network_type }: JsonObject): Promise<Record<string, string>> {
  const prompts = await call.app.prompts();
  if (network === undefined && network_type === undefined) {
    const known = await choicesFrom(call, networkChoices);
    if (known) return enter(call, sourceOf(await prompts.search("Network:", known)));
  }
  const kinds = NETWORK_KINDS.map((kind) => ({ value: kind, name: kind }));
  return {
    ...(network_type === undefined && enter(call, { network_type: await prompts.select("Network type:", kinds) })),
    ...(network === undefined && enter(call, { network: await needed(call, NETWORK) })),
  };
}

/** Splits the ID of a network into kind and name, e.g. `evm:sepolia` (facts 8.2). */
function sourceOf(id: string): Record<string, string> {
  const at = id.indexOf(":");
  return { network: id.slice(at + 1), network_type: id.slice(0, at) };
}

async function needed(call: Call, question: TextQuestion): Promise<string> {
  return (await askText(await call.app.prompts(), question)) ?? "";
}

const NAME = question("Name:", "Mainnet 3");
const NETWORK = question("Network:", "sepolia");
const SIGNER = question("Signer:", "signer-1");

function question(text: string, example: string): TextQuestion {
  return { question: text, example, problem: () => undefined };
}

type Choices = readonly Choice<string>[];

/** Returns the choices; undefined if the value must be typed: in a dry run, or if the service has no such list. */
export async function choicesFrom(call: Call, list: (call: Call) => Promise<Choices>): Promise<Choices | undefined> {
  if (reachOf(call) === "nothing") return undefined;
  try {
    const choices = await list(call);
    return choices.length > 0 ? choices : undefined;
  } catch (error) {
    if (error instanceof RelayctlError && [404, 405, 501].includes(error.http?.status ?? 0)) return undefined;
    throw error;
  }
}
