import { serviceIdProblem } from "../../contract/id.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS } from "../../contract/network-kind.ts";
import { creatingBy } from "../handlers/create-relayer.ts";
import { Refusal } from "../refusal.ts";
import { readPolicies } from "./policies.ts";
import { NAMES, refuseBrokenFields, rpcConfig, withUrls } from "./relayers.ts";
import { flag, listOf, oneOf, optional, ShapeError, struct, text } from "./serde.ts";
import { typedBody } from "./typed-body.ts";

const readFields = struct(
  "CreateRelayerRequest",
  {
    id: optional(text),
    name: text,
    network: text,
    paused: flag,
    policies: (value: JsonValue) => value ?? undefined,
    network_type: oneOf(NETWORK_KINDS),
    signer_id: text,
    notification_id: optional(text),
    custom_rpc_urls: optional(listOf(rpcConfig)),
  },
  { required: ["name", "network", "paused", "network_type", "signer_id"] },
);

/** Reads the policies with the body: an invalid policy is reported as a text about the whole body (facts 3.1). */
function readNew(value: JsonValue): JsonObject {
  const { policies, ...fields } = readFields(value);
  const { network_type: kind } = fields;
  if (policies === undefined || !isNetworkKind(kind)) return { ...fields, ...withUrls(fields) };
  try {
    const read = readPolicies[kind](policies) as JsonObject;
    return { ...fields, ...withUrls(fields), policies: { ...(isJsonObject(policies) ? policies : {}), ...read } };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ShapeError(`Bad Request: Invalid ${NAMES[kind]} policy: ${error.message}`);
  }
}

/** Creates a relayer. Checks the shape of the body, then the rules of its fields, then the state (facts 3.1). */
export const createRelayer = creatingBy((request) => {
  const relayer = typedBody(request, readNew);
  const wrong = typeof relayer.id === "string" ? serviceIdProblem(relayer.id) : undefined;
  if (wrong) throw new Refusal(400, wrong);
  refuseBrokenFields(relayer);
  if (relayer.network === "") throw new Refusal(400, "Network cannot be empty");
  if (relayer.signer_id === "") throw new Refusal(400, "Invalid relayer policy: Signer ID cannot be empty");
  return relayer;
});
