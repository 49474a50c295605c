import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { signerView } from "./view.ts";

/** `relayctl signers list` (facts 8.1). */
export const signersList: CommandFile<ListFlags, ListBounds> = {
  summary: "List the signers and their types",
  sends: "read",
  examples: [
    "relayctl signers list",
    "relayctl signers list --where type=aws_kms,google_cloud_kms",
    "relayctl signers list -o name",
  ],
  resource: signerView,
  paginates: true,
  define(command) {
    defineListFlags(
      command.description(
        "List the signers. No secrets are shown. A signer that was created with type plain has type local.",
      ),
    );
  },
  prepare: async ({ flags }, problems) => listBounds(flags, problems),
  run: (call, bounds) =>
    listView(call, bounds, {
      resource: signerView,
      request: { operation: operations["signers.list"] },
      pages: (client) => client.signers.list(bounds),
    }),
};
