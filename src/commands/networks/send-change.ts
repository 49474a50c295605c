import { holdsAlready } from "../../client/read-back/compare.ts";
import type { PlannedWrite, Receipt } from "../../command-support/prepared-write.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { type JsonArray, type JsonValue, listIn } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { bodyFieldRule } from "../../contract/requests/body-problems.ts";
import { updateNetworkSchema } from "../../contract/requests.ts";
import { type Network, networkRpcConfigs } from "../../contract/resources/network.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { receiptUndoLine, receiptWords, type Undo } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { escapeText } from "../../terminal/escape.ts";
import { alignWidths } from "../../terminal/width.ts";
import { networkView, rpcUrlCells, rpcUrlFlags } from "../../views/rpc-url-flags.ts";
import type { Call } from "../command.ts";
import { type ResourceChange, readBefore } from "../read-before.ts";

export function networkChange(
  call: Call<DiffFlag>,
  { id, body, read }: ResourceChange<Network>,
): PlannedWrite<Network> {
  const requested = { rpc_urls: networkRpcConfigs(body.rpc_urls as JsonArray) };
  return {
    request: { operation: operations["networks.update"], parameters: { network_id: id }, body },
    title: `update network ${id}`,
    act: "changing a network",
    id,
    resource: networkView,
    prepare: async (session) => {
      const found = await (read?.() ?? readBefore(call, id, session.client.networks));
      const before = found?.data;
      return {
        before: found,
        already: before && holdsAlready(requested, before) ? `${id} already has these RPC URLs` : undefined,
        preview: () =>
          alignWidths([...(before ? urlRows("now", before.rpc_urls) : []), ...urlRows("after", requested.rpc_urls)]),
        send: (client) => client.networks.update(id, body, { before }),
        receipt: () => networkReceipt(id, requested.rpc_urls.length, before, session),
        outlook: async (after) =>
          (await import("../../relayer-state/check-node.ts")).checkNetworkNode(
            call.app,
            session,
            after,
            requested.rpc_urls.length,
          ),
        readAgain: commandLine(...session.flags, "networks", "get", id),
      };
    },
  };
}

function urlRows(label: string, urls: JsonValue | undefined): string[][] {
  const { rpc_urls: shown } = withMaskedRpcUrls({ rpc_urls: urls ?? [] });
  return rpcUrlCells(shown, "none").map(({ text }, index) => [index === 0 ? label : "", escapeText(text)]);
}

function networkReceipt(id: string, now: number, before: Network | undefined, session: Session): Receipt {
  const counts = [...(before ? [`${listIn(before.rpc_urls).length} before`] : []), `${now} now`];
  const applied = receiptWords.changed(session.name, id, `RPC URLs replaced: ${counts.join(", ")}`);
  if (!before) return { applied };
  return { applied, next: receiptUndoLine(undoOfNetwork(before), session, "networks", "update", id) };
}

/** Returns the flags that restore the list, unless a URL may contain a key. */
export function undoOfNetwork({ rpc_urls: urls }: Network): Undo {
  const entries = Array.isArray(urls) ? networkRpcConfigs(urls) : [];
  if (entries.length === 0) return { because: "the previous RPC URLs are unknown" };
  const flags = rpcUrlFlags(entries);
  if (!flags) return { because: "the previous RPC URLs may contain keys and are not printed" };
  const rule = bodyFieldRule(updateNetworkSchema, "rpc_urls", entries);
  return rule === undefined ? { flags } : { because: `the previous RPC URLs cannot be sent: ${rule}` };
}
