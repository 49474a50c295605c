import { readId } from "../../command-support/ids.ts";
import { runWrite } from "../../command-support/prepared-write.ts";
import { bodyFileSources, readBodyFile } from "../../command-support/request-body/body-file.ts";
import type { JsonObject } from "../../contract/json.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { updateNetworkSchema } from "../../contract/requests.ts";
import { MAX_NETWORK_WEIGHT, networkRpcConfigs } from "../../contract/resources/network.ts";
import { networkView, parseRpcUrlFlag, rpcUrlFlagSource } from "../../views/rpc-url-flags.ts";
import { BODY_FILE, createCommand, DIFF } from "../command.ts";
import { networkArgument } from "../resource-arguments.ts";
import { networkChange } from "./send-change.ts";

export const networksUpdate = createCommand({
  summary: "Replace a network's RPC URLs",
  sends: "patch",
  examples: [
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org,weight=80 --rpc-url https://backup.example.org,weight=20",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org --dry-run",
  ],
  resource: networkView,
  args: [networkArgument],
  description:
    "Replace the RPC URLs of a network. Specify every URL that the network should have. No other field of a network can be changed. Afterwards one request through an active relayer checks whether the new node responds, and on which chain.",
  define: (command) =>
    command
      .optionsGroup("Fields")
      .option(
        "--rpc-url <url[,weight=n]>",
        `RPC URL, with an optional weight (0–${MAX_NETWORK_WEIGHT}); repeat for each URL; replaces the whole list`,
        "values",
      )
      .optionsGroup("Request")
      .option(...BODY_FILE)
      .option(...DIFF),
  async prepare(call, problems) {
    const id = await readId(call, problems, "id", call.args[0]);
    const { app, flags } = call;
    const file = await readBodyFile(app, flags.file);
    const typed: JsonObject = flags.rpcUrl
      ? { rpc_urls: flags.rpcUrl.map((text) => parseRpcUrlFlag(problems, text, MAX_NETWORK_WEIGHT)) }
      : {};
    const body: JsonObject = { ...file.fields, ...typed };
    const { rpc_urls: urls } = body;
    const sourceOf = bodyFileSources(typed, file);
    const validated = Array.isArray(urls) ? { ...body, rpc_urls: networkRpcConfigs(urls) } : body;
    if (urls === undefined) problems.add("--rpc-url", "At least one field must be provided for update");
    validateBody(problems, updateNetworkSchema, validated, (path) => {
      if (path === "rpc_urls" && !file.fields.rpc_urls) return "--rpc-url";
      return (typed.rpc_urls && rpcUrlFlagSource(path)) || sourceOf(path);
    });
    return { id, body };
  },
  run: async (call, change) => await runWrite(call, networkChange(call, change)),
});
