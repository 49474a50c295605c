import { addressOf, bytesOf } from "../../../chain/evm/quantity.ts";
import { bounded } from "../../../chain/node/bounded.ts";
import type { ChainNode } from "../../../chain/node/node.ts";
import type { ForeseenCall } from "../../../chain/simulation/foresee-call.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulation.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { RelayctlError } from "../../../errors.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import { SIMULATION_TIMEOUT } from "../../../timing.ts";
import { doubtLines, revertRows, revertText } from "../../../views/transaction/simulation-words.ts";
import type { Call } from "../../command.ts";
import type { SimulationFlags } from "./flags.ts";

export interface Sender {
  from: JsonValue | undefined;
  body: JsonObject;
}

export function callOf({ from: sender, body }: Sender): SimulatedCall | string {
  const from = addressOf(sender);
  if (from === undefined) return "the address of the relayer is not known";
  const to = (body.to ?? null) === null ? null : addressOf(prefixed(body.to));
  const data = bytesOf(prefixed(body.data ?? "0x"));
  if (to === undefined || data === undefined) return "its receiver or its data cannot be read";
  if (to === null && data === "0x") return "it has neither receiver nor data";
  return { from, to, value: wireAmount(body.value) ?? 0n, data, gas: wireAmount(body.gas_limit) };
}

/** The service accepts hex without its prefix. */
function prefixed(hex: JsonValue | undefined): JsonValue | undefined {
  return typeof hex === "string" && !hex.startsWith("0x") ? `0x${hex}` : hex;
}

/** The most requests for one transaction: four for each of three simulations, two nonces, and the code. */
const MOST_REQUESTS = 16;

/** Returns the node, asked only while there is time: a node that hangs must not hold up what is sent. */
export function withinTime({ app: { clock } }: Pick<Call, "app">, node: ChainNode): ChainNode {
  const end = clock.elapsed() + SIMULATION_TIMEOUT;
  return bounded(node, { calls: MOST_REQUESTS, remaining: () => end - clock.elapsed() });
}

export async function refuseRevert(
  call: Call<SimulationFlags>,
  foreseen: ForeseenCall,
  simulated: SimulatedCall,
): Promise<void> {
  const words = revertText(foreseen, simulated);
  if (call.flags.evenIfItReverts) return await call.say(`warning: ${words}`);
  const details = revertRows(foreseen);
  const data = details.filter(({ where }) => where === "revert data").map(({ where, rule }) => `${where}: ${rule}`);
  throw new RelayctlError("rejected", words, {
    because: ["nothing was sent", ...data, ...doubtLines(foreseen)],
    details,
    // The message and the lines after it contain what a user needs of the details.
    summary: [],
    hint: repeatedCommand(call.argv, ["--even-if-it-reverts"], shellOf(call.app.env)),
  });
}
