import { networkKind } from "../../contract/network-kind.ts";
import { Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Call } from "../command.ts";
import { validateTransaction } from "./body/send-body.ts";
import type { Sending } from "./relayer-check.ts";

/**
 * Returns a transaction with the address of a relayer as its receiver, and shows it.
 * @throws RelayctlError usage if the relayer has none, or is on a different network than the sender; not_found
 */
export async function withReceiver(call: Call, sending: Sending, id: string): Promise<Sending> {
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
  validateTransaction(problems, whole, kind, call.app.clock.now());
  problems.throwIfAny();
  await call.say(`note: relayer ${id} has address ${to}`);
  return { ...sending, body };
}

function receiverProblem(receiver: Relayer, sender: Relayer): string | undefined {
  if (networkKind(receiver) !== "evm") return "needs an EVM relayer";
  if (!receiver.address) return "has no address";
  const [there, here] = [receiver.network, sender.network];
  return there === here ? undefined : `is on ${there}, and ${sender.id} sends on ${here}`;
}
