import type { ApiResult } from "../../../client/api-result.ts";
import { perform } from "../../../command-support/perform.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { drawnRelayer } from "../change/drawn-relayer.ts";
import { updateOf } from "../change/send-update.ts";
import { refuseChangedMeanwhile } from "./changed-meanwhile.ts";
import { equalCommand } from "./equal-command.ts";
import type { EditFlags } from "./flags.ts";

/**
 * Reviews a patch that a person made of a relayer and sends it: the same as a command is told first, so that no answer is
 * lost; what changes is shown and confirmed, and the relayer is read once more before it is sent. An empty patch sends
 * nothing.
 * @throws RelayctlError conflict, when somebody changed the same fields meanwhile
 */
export async function sendEdit(call: Call<EditFlags>, before: ApiResult<Relayer>, patch: JsonObject): Promise<View> {
  const { id } = before.data;
  if (Object.keys(patch).length === 0) {
    await call.say("no changes; nothing was sent");
    const resource = await drawnRelayer(call, before.data, symbolFor);
    return { kind: "one", resource, value: before.data, body: before.body };
  }
  const session = await call.session();
  const symbol = await symbolFor(call, before.data);
  const equal = equalCommand(patch, before.data, { session, symbol });
  if (equal !== undefined) await call.say(`without questions: ${equal}`);
  const update = updateOf(call, id, patch, async () => before);
  const again = ["relayers", "edit", id, ...(call.flags.editor ? ["--editor"] : [])];
  return await perform<Relayer>(call, {
    ...update,
    confirms: true,
    send: async (client) => {
      const { data: now } = await client.relayers.get(id);
      refuseChangedMeanwhile(patch, before.data, { now, symbol }, commandLine(...session.flags, ...again));
      return await withEqual(update.send(client, before.data), equal);
    },
  });
}

/** A change that was refused is not typed anew: the next command holds the answers. */
async function withEqual<T>(sending: Promise<T>, equal: string | undefined): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const isRefused = error instanceof RelayctlError && error.failure === "rejected";
    throw isRefused ? error.with({ hint: equal }) : error;
  }
}
