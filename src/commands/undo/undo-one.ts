import type { ApiResult } from "../../client/api-result.ts";
import type { Client } from "../../client/client.ts";
import { perform, type Write } from "../../command-support/perform.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Plugin } from "../../contract/resources/plugin.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { changeOf as networkChange } from "../networks/send-change.ts";
import { changeOf as notificationChange } from "../notifications/send-change.ts";
import { changeOf as pluginChange } from "../plugins/send-change.ts";
import { updateOf } from "../relayers/change/send-update.ts";
import type { Reversal } from "./reversal.ts";

/** Checks a resource before its changes are undone; undefined if it was deleted. Throws if it changed since. */
type Check = (resource: JsonObject | undefined) => void;

/**
 * Undoes the changes of one resource: reads it, checks it, shows the old and the new values, and sends.
 * @param confirms whether to ask even if the patch itself needs no consent
 */
export async function undoOne(call: Call, reversal: Reversal, check: Check, confirms: boolean): Promise<View> {
  const { noun, id, body } = reversal;
  const shown = { ...call, flags: { ...call.flags, diff: true as const } };
  const withCheck = <T extends JsonObject>(write: Write<T>, read: (client: Client) => Promise<ApiResult<T>>) =>
    perform<T>(shown, { ...write, ...(confirms && { confirms }), before: (client) => checked(read(client), check) });
  switch (noun) {
    case "relayers":
      return await withCheck<Relayer>(updateOf(shown, id, body), (client) => client.relayers.get(id));
    case "notifications":
      return await withCheck<Notification>(notificationChange(shown, { id, body }), (client) =>
        client.notifications.get(id),
      );
    case "networks":
      return await withCheck<Network>(networkChange(shown, { id, body }), (client) => client.networks.get(id));
    case "plugins":
      return await withCheck<Plugin>(pluginChange(shown, { id, body }), (client) => client.plugins.get(id));
  }
}

async function checked<T extends JsonObject>(reading: Promise<ApiResult<T>>, check: Check): Promise<ApiResult<T>> {
  try {
    const result = await reading;
    check(result.data);
    return result;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") check(undefined);
    throw error;
  }
}
