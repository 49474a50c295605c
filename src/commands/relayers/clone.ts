import { readId } from "../../command-support/ids.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { Problems } from "../../contract/problems.ts";
import { bodyFlag, validateBody } from "../../contract/requests/body-problems.ts";
import { createRelayerSchema, typedPolicySchemas } from "../../contract/requests.ts";
import { orderedFields } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { maskedRpcUrlPaths } from "../../contract/rpc-url.ts";
import { relayerView } from "../../views/relayer.ts";
import { rpcUrlFlagSource } from "../../views/rpc-url-flags.ts";
import { createCommand } from "../command.ts";
import { defineFieldFlags, fieldsFromFlags } from "../flags/field-flags.ts";
import { relayerArgument } from "../resource-arguments.ts";
import { createRelayer } from "./create/create-relayer.ts";
import { relayerFileAsCreation } from "./create/flags.ts";

export const relayersClone = createCommand({
  summary: "Create a relayer with the fields and policies of another",
  sends: "create",
  ends: { not_found: "relayer, signer, or notification not found", conflict: "ID or signer in use" },
  examples: [
    "relayctl relayers clone eth-sepolia --id eth-new --signer-id signer-new",
    "relayctl relayers clone eth-sepolia --id eth-new --name 'Sepolia new' --signer-id signer-new --paused",
    "relayctl relayers clone eth-main-1 --id eth-new --signer-id signer-new --rpc-url https://rpc.example.org/v3/key --dry-run",
  ],
  args: [{ ...relayerArgument, description: "ID of the relayer to copy (`-` reads one line from stdin)" }],
  resource: relayerView,
  readsFirst: true,
  description:
    "Create a relayer with the network, policies, notification, and RPC URLs of an existing one. URLs that the service masks are not copied: specify them with --rpc-url.",
  define: (command) =>
    defineFieldFlags(
      command.optionsGroup("Fields"),
      orderedFields(relayerFields, ["id", "name", "signer_id", "notification_id", "custom_rpc_urls", "paused"]),
      "create",
      (flag, words) =>
        flag.startsWith("--signer-id") ? words : words.replace("(required)", "(default: as the original)"),
    ),
  async prepare(call, problems) {
    const id = await readId(call, problems, "id", call.args[0]);
    const typed = fieldsFromFlags(problems, relayerFields, "create", call.flags);
    if (typed.signer_id === undefined)
      problems.add("--signer-id", "is required: a signer can have one relayer on each network");
    return { id, typed };
  },
  async run(call, { id, typed }) {
    const { client } = await call.session();
    const { data: original } = await client.relayers.get(id);
    const { id: _, ...copied } = relayerFileAsCreation({ fields: original, name: id }).file.fields;
    const whole: JsonObject = { ...copied, ...typed };
    const { custom_rpc_urls: urls, ...rest } = whole;
    const isMasked = maskedRpcUrlPaths(whole).length > 0;
    if (isMasked)
      await call.say({
        warning: `the RPC URLs of ${id} are masked and not copied; --rpc-url sets the URLs of the new relayer`,
      });
    const body = isMasked || urls === undefined ? rest : whole;
    const problems = new Problems();
    validateBody(problems, createRelayerSchema, body, (path) => rpcUrlFlagSource(path) || bodyFlag(path));
    const { network_type: kind, policies } = body;
    if (isNetworkKind(kind) && isJsonObject(policies))
      validateBody(problems, typedPolicySchemas[kind], policies, (path) => `policies.${path} of ${id}`);
    problems.throwIfAny("relayctl relayers clone --help");
    return await createRelayer(call, body);
  },
});
