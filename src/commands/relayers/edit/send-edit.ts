import type { Answer } from "../../../client/answer.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import { perform } from "../../../flow/perform.ts";
import { commandLine } from "../../../flow/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { updateOf } from "../send-update.ts";
import { relayerView } from "../view.ts";
import { refuseChangedMeanwhile } from "./changed-meanwhile.ts";

/**
 * Reviews a patch that a person made of a relayer and sends it: what changes is shown and confirmed, and it is read once
 * more before it is sent. An empty patch sends nothing.
 * @throws RelayctlError conflict, when somebody changed the same fields meanwhile
 */
export async function sendEdit(call: Call, before: Answer<Relayer>, patch: JsonObject): Promise<View> {
  const { id } = before.data;
  if (Object.keys(patch).length === 0) {
    await call.say("nothing was changed; nothing was sent");
    return { kind: "one", resource: relayerView, value: before.data, body: before.body };
  }
  const session = await call.session();
  const update = updateOf(call, id, patch, before);
  return await perform<Relayer>(call, {
    ...update,
    confirms: true,
    send: async (client) => {
      const { data: now } = await client.relayers.get(id);
      refuseChangedMeanwhile(patch, before.data, now, commandLine(...session.flags, "relayers", "edit", id));
      return await update.send(client, before.data);
    },
  });
}
