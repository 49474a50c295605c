import type { JsonObject } from "../../../contract/json.ts";
import { type NetworkKind, networkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { transactionSchemas, transactionShapes } from "../../../contract/requests.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { type BodyWords, bodyKind, serviceSpelling, validateExpiry } from "../../../contract/transaction/body-kind.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { convertedBody } from "../../../views/transaction/body-rows.ts";
import type { Call } from "../../command.ts";
import type { Sending } from "../relayer-check.ts";
import type { TypedBody } from "./body-flags.ts";

const WORDS: BodyWords = {
  command: "tx send",
  noun: "transaction",
  needs: "needs --value (EVM), --transaction or --instructions (Solana), or --network (Stellar)",
  required: { evm: "value", stellar: "network" },
};

/** Validates a transaction by every rule that does not depend on its relayer (facts 5.3, 5.7, 5.8). */
export function validateSendBody(
  problems: Problems,
  { body: typed, named, sourceOf, coins }: TypedBody,
  asked: NetworkKind | undefined,
  now: number,
): { body: JsonObject; kind: NetworkKind | undefined } {
  const body = serviceSpelling(typed);
  const kind = bodyKind(problems, named, asked, WORDS);
  // The rules across fields would treat an unreadable field as missing.
  const schemas = named.every((field) => field in body) ? transactionSchemas : transactionShapes;
  if (kind) validateBody(problems, schemas[kind], body, sourceOf, convertedBody(coins));
  validateExpiry(problems, sourceOf("valid_until"), body, { kind, now });
  return { body, kind };
}

/** @throws RelayctlError usage if it has no address, or is on a different network than the sender; not_found */
export async function sendBodyWithReceiver(call: Call, sending: Sending, id: string): Promise<Sending> {
  const { client, flags } = await call.session();
  const receiver = (await client.relayers.get(id)).data;
  const sender = id === sending.relayerId ? receiver : (await client.relayers.get(sending.relayerId)).data;
  const problems = new Problems();
  const rule = receiverProblem(receiver, sender);
  if (rule !== undefined) problems.add("--to-relayer", rule, id);
  problems.throwIfAny(commandLine(...flags, "relayers", "get", id));
  const { body: typed, kind, sourceOf, coins } = sending;
  const to = String(receiver.address);
  const body = { ...typed, to };
  const whole = { body, named: Object.keys(body), sourceOf, coins: [...coins] };
  validateSendBody(problems, whole, kind, call.app.clock.now());
  problems.throwIfAny();
  await call.say({ note: `relayer ${id} has address ${to}` });
  return { ...sending, body };
}

function receiverProblem(receiver: Relayer, sender: Relayer): string | undefined {
  if (networkKind(receiver) !== "evm") return "needs an EVM relayer";
  if (!receiver.address) return "has no address";
  const [there, here] = [receiver.network, sender.network];
  return there === here ? undefined : `is on ${there}, and ${sender.id} sends on ${here}`;
}
