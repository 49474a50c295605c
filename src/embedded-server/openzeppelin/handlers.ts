import { MAX_U32, MAX_U64 } from "../../contract/amount.ts";
import { serviceIdProblem } from "../../contract/id.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, mergePatch, objectIn } from "../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import type { OperationId } from "../../contract/operations.ts";
import { CRON_FORM } from "../../contract/policy/cron.ts";
import { policyGaps, policyNetworkRule } from "../../contract/policy.ts";
import type { SponsoredVerb } from "../../contract/relayer-rules.ts";
import { policySchemas } from "../../contract/requests.ts";
import { NOTIFICATION_TYPES } from "../../contract/resources/notification.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";
import { DEFAULT_WEIGHT } from "../../contract/rpc-url.ts";
import type { Handler } from "../handler.ts";
import { cancelHandler } from "../handlers/cancel-transaction.ts";
import {
  type NewSigner,
  notificationCreateHandler,
  notificationUpdateHandler,
  relayerCreateHandler,
  relayerUpdateHandler,
  signerCreateHandler,
} from "../handlers/change-resources.ts";
import { networkUpdateHandler, type ReadRpcUrls } from "../handlers/networks.ts";
import { pluginUpdateHandler } from "../handlers/plugins.ts";
import { findResource } from "../handlers/resources.ts";
import { sendHandler } from "../handlers/send-transaction.ts";
import { NO_DATA, NO_TYPED_DATA, signHandler, signTransactionHandler } from "../handlers/sign.ts";
import { type ReadSponsored, sponsorHandler } from "../handlers/sponsored.ts";
import { transactionGetHandler } from "../handlers/transactions.ts";
import { handlers, relayerGetHandler, relayerListHandler } from "../handlers.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { anyTransaction, servedKind } from "../transaction/lookup.ts";
import { acceptAsService, getFlaw, readPolicies } from "./bodies.ts";
import { replacementStyle, replaceTransaction } from "./replace-transaction.ts";
import {
  type Read,
  ShapeError,
  serdeAnyOf,
  serdeAsSent,
  serdeBody,
  serdeFits,
  serdeFlag,
  serdeInt,
  serdeList,
  serdeLoose,
  serdeOneOf,
  serdeOptional,
  serdeReading,
  serdeStruct,
  serdeText,
  serdeUnexpectedType,
} from "./serde.ts";
import { shownByService, shownPaged, shownRelayer, shownTransaction } from "./shown.ts";

/** Updates a relayer, with the checks of facts 4.5 in order. */
const updateRelayer = relayerUpdateHandler((state, relayer, body) => {
  const patch = readShape("Invalid update request", () => readPatch(body));
  const policies = readPolicyPatch(servedKind(relayer), objectIn(body).policies);
  if (relayer.system_disabled === true) throw new Refusal(400, "Relayer is disabled");
  const patched = mergePatch(relayer, { ...(body as JsonObject), ...withUrls(patch), ...policies });
  refuseBrokenRelayer(state, patched);
  return patched;
}, shownRelayer);

const rpcConfig = serdeLoose("RpcConfigHelper", { url: serdeText, weight: serdeOptional(serdeInt("u8", 255n)) });
const readPatch = serdeStruct("UpdateRelayerRequestRaw", {
  name: serdeOptional(serdeText),
  paused: serdeOptional(serdeFlag),
  policies: (value: JsonValue) => value,
  notification_id: serdeOptional(serdeText),
  custom_rpc_urls: serdeOptional(serdeList(rpcConfig)),
});

function readShape<T>(prefix: string, read: () => T): T {
  return serdeReading(read, ({ message }) => new Refusal(400, `${prefix}: ${message}`));
}

const NAMES: Readonly<Record<NetworkKind, string>> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

function readPolicyPatch(kind: NetworkKind, policies: JsonValue | undefined): JsonObject {
  if (policies === undefined || policies === null) return {};
  const prefix = `Invalid policy: Bad Request: Invalid ${NAMES[kind]} policy`;
  const read = readShape(prefix, () => (readPolicies[kind] as Read<JsonObject>)(policies));
  return { policies: { ...(policies as JsonObject), ...read } };
}

function withUrls({ custom_rpc_urls: urls }: Pick<ReturnType<typeof readPatch>, "custom_rpc_urls">): JsonObject {
  if (!urls) return {};
  return { custom_rpc_urls: urls.map(({ url = "", weight = DEFAULT_WEIGHT }) => ({ url, weight })) };
}

/** Validates the whole relayer after the change (facts 3.1, 4.3, 4.4). */
function refuseBrokenRelayer(state: ServerState, relayer: JsonObject): void {
  const { name, paused, notification_id: hook } = relayer;
  if (typeof hook === "string") findResource(state, "notifications", hook);
  if (name === undefined || paused === undefined) {
    throw new Refusal(400, `Invalid result after patch: missing field \`${name === undefined ? "name" : "paused"}\``);
  }
  refuseBrokenFields(relayer);
}

function refuseBrokenFields(relayer: JsonObject): void {
  if (relayer.name === "") throw new Refusal(400, "Name cannot be empty");
  for (const entry of listIn(relayer.custom_rpc_urls)) refuseUrl(entry);
  const why = policyFault(servedKind(relayer as Resource), relayer);
  if (why !== undefined) throw new Refusal(400, `Invalid relayer policy: ${why}`);
}

function refuseUrl(entry: JsonValue): void {
  const { url, weight } = objectIn(entry);
  const [, scheme, host] = /^([^:]*):\/\/([^/?#]*)/.exec(String(url)) ?? [];
  if (scheme !== "http" && scheme !== "https") {
    const why = `Invalid URL scheme '${scheme}': only http and https are allowed`;
    throw new Refusal(400, `Invalid RPC URL: ${scheme}://${host}/[path redacted]: ${why}`);
  }
  if (Number(weight) > 100) throw new Refusal(400, "RPC URL weight must be in range 0-100");
}

/** Returns the contract's message for whole policies, which is the service's (facts 4.3). */
function policyFault(kind: NetworkKind, { policies, network }: JsonObject): string | undefined {
  if (policies === undefined) {
    return kind === "stellar" ? "Stellar policy is required. fee_payment_strategy is required" : undefined;
  }
  const strange = kind === "solana" ? optionsFault(policies as JsonObject) : undefined;
  if (strange !== undefined) return strange;
  const [gap] = policyGaps(kind, policies);
  if (gap) return gap.rule;
  const validated = policySchemas[kind].safeParse(policies);
  if (!validated.success) return validated.error.issues[0]?.message.replace(`: ${CRON_FORM}`, "");
  return policyNetworkRule(kind, network, policies as JsonObject);
}

/** Returns the fault in the options of the chosen strategy; other strategies' options are ignored. */
function optionsFault({ swap_config: swap }: JsonObject): string | undefined {
  const { strategy, jupiter_swap_options: options } = objectIn(swap);
  if (!isJsonObject(options) || strategy === "jupiter-swap") return undefined;
  return "JupiterSwap options are only valid for JupiterSwap strategy";
}

const shapes = Object.fromEntries(SIGNER_TYPES.map((type) => [type, createShape(type, signerFields[type])])) as Record<
  SignerType,
  Read<unknown>
>;

/** The config may be of any type: the service compares it with the type later. */
const readSigner = serdeStruct("SignerCreateRequest", {
  id: serdeOptional(serdeText),
  type: serdeOneOf(SIGNER_TYPES),
  config: serdeAsSent(serdeAnyOf("SignerConfigRequest", Object.values(shapes))),
});

/** Creates a signer. Checks the shape of the body, then whether type and config agree, then the fields (facts 8.1). */
const createSigner = signerCreateHandler((request) => {
  const signer = serdeBody(request, readSigner) as NewSigner;
  const { id, type, config } = signer;
  const wrong = id === undefined ? undefined : serviceIdProblem(id);
  if (wrong) throw new Refusal(400, wrong);
  if (!serdeFits(shapes[type], config)) {
    throw new Refusal(400, `Signer type '${debugName(type)}' does not match the provided configuration`);
  }
  refuseFields(signerFields[type], config);
  return signer;
});

function createShape(name: string, fields: readonly SignerField[]): Read<unknown> {
  return serdeStruct(name, Object.fromEntries(fields.map((field) => [field.name, fieldShape(field)])));
}

function fieldShape({ name, fields, words, rule, optional: isOptional }: SignerField): Read<unknown> {
  const word = words ? serdeOneOf(words) : serdeText;
  const read = fields ? createShape(name, fields) : rule === "u32" ? serdeInt("u32", MAX_U32) : word;
  return isOptional ? serdeOptional(read) : read;
}

function debugName(type: SignerType): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function refuseFields(fields: readonly SignerField[], config: JsonObject): void {
  for (const { name, rule, fields: inner } of fields) {
    const value = config[name];
    if (inner && isJsonObject(value)) refuseFields(inner, value);
    if (typeof value !== "string") continue;
    if (rule === "hex key") refuseKey(value);
    else if (rule === undefined && value === "") throw refuseInvalid(`${name} cannot be empty`);
    else if (rule === "url" && !URL.canParse(value)) throw refuseInvalid(`${name} is not a valid URL`);
  }
}

const KEY_BYTES = 32;

/** Refuses a key that is not 32 bytes of hex, in the service's words, which quote at most one character. */
function refuseKey(key: string): void {
  const why = hexProblem(key);
  if (why !== undefined)
    throw new Refusal(400, `Invalid hex key format: ${why}. Key must be a 64-character hex string (32 bytes).`);
  if (key.length / 2 !== KEY_BYTES)
    throw refuseInvalid(`Raw key must be exactly ${KEY_BYTES} bytes, got ${key.length / 2} bytes`);
  if (/^0+$/.test(key)) throw refuseInvalid("Raw key cannot be all zeros");
}

const refuseInvalid = (why: string) => new Refusal(400, `Invalid signer configuration: ${why}`);

const readPluginUpdate = serdeStruct("UpdatePluginRequest", {
  timeout: serdeOptional(serdeInt("u64", MAX_U64)),
  emit_logs: serdeOptional(serdeFlag),
  emit_traces: serdeOptional(serdeFlag),
  raw_response: serdeOptional(serdeFlag),
  allow_get_invocation: serdeOptional(serdeFlag),
  config: serdeOptional((value) => {
    if (!isJsonObject(value)) throw serdeUnexpectedType(value, "a map");
    return value;
  }),
  forward_logs: serdeOptional(serdeFlag),
});

const updatePlugin = pluginUpdateHandler((request) => serdeBody(request, readPluginUpdate) as JsonObject);

const readMessage = serdeLoose("SignDataRequest", { message: serdeText });
const readHashes = serdeLoose("SignTypedDataRequest", { domain_separator: serdeText, hash_struct_message: serdeText });
const readUnsigned = serdeAnyOf<JsonObject>("SignTransactionRequest", [
  serdeLoose("Stellar", { unsigned_xdr: serdeText }),
  serdeLoose("Solana", { transaction: serdeText }),
]);

const sign: Handler = signHandler((request) => serdeBody(request, readMessage), NO_DATA);

const signTypedData: Handler = signHandler(
  (request) => serdeBody(request, readHashes),
  NO_TYPED_DATA,
  ({ domain_separator: domain, hash_struct_message: message }) => {
    refuseHash("domain separator", String(domain));
    refuseHash("hash struct message", String(message));
  },
);

const signTransaction: Handler = signTransactionHandler((request) => serdeBody(request, readUnsigned));

const BYTES = 32;

/** Refuses an invalid hash with 500 (facts 3.2). */
function refuseHash(what: string, given: string): void {
  const digits = given.replace(/^0x/, "");
  const length = digits.length / 2;
  const wrongLength = `Invalid ${what} length: expected ${BYTES} bytes, got ${length}`;
  const why = hexProblem(digits) ?? (length === BYTES ? undefined : wrongLength);
  if (why !== undefined) throw new Refusal(500, `Failed to sign transaction: ${why}`);
}

/** Returns the service's words for invalid hex, as for a key (recorded, signers). */
function hexProblem(digits: string): string | undefined {
  const at = digits.search(/[^0-9a-f]/i);
  if (at >= 0) return `Invalid character '${[...digits.slice(at)][0]}' at position ${at}`;
  return digits.length % 2 === 1 ? "Odd number of digits" : undefined;
}

const readFields = serdeStruct("CreateRelayerRequest", {
  id: serdeOptional(serdeText),
  name: serdeText,
  network: serdeText,
  paused: serdeFlag,
  policies: (value: JsonValue) => value ?? undefined,
  network_type: serdeOneOf(NETWORK_KINDS),
  signer_id: serdeText,
  notification_id: serdeOptional(serdeText),
  custom_rpc_urls: serdeOptional(serdeList(rpcConfig)),
});

/** Reads the policies with the body: an invalid policy is reported as a text about the whole body (facts 3.1). */
function readNew(value: JsonValue): JsonObject {
  const { policies, ...fields } = readFields(value);
  const { network_type: kind } = fields;
  if (policies === undefined || !isNetworkKind(kind)) return { ...fields, ...withUrls(fields) };
  const read = serdeReading(
    () => readPolicies[kind](policies) as JsonObject,
    ({ message }) => new ShapeError(`Bad Request: Invalid ${NAMES[kind]} policy: ${message}`),
  );
  return { ...fields, ...withUrls(fields), policies: { ...objectIn(policies), ...read } };
}

/** Creates a relayer. Checks the shape of the body, then the rules of its fields, then the state (facts 3.1). */
const createRelayer = relayerCreateHandler((request) => {
  const relayer = serdeBody(request, readNew);
  const wrong = typeof relayer.id === "string" ? serviceIdProblem(relayer.id) : undefined;
  if (wrong) throw new Refusal(400, wrong);
  refuseBrokenFields(relayer);
  if (relayer.network === "") throw new Refusal(400, "Network cannot be empty");
  if (relayer.signer_id === "") throw new Refusal(400, "Invalid relayer policy: Signer ID cannot be empty");
  return relayer;
});

const type = serdeOptional(serdeOneOf(NOTIFICATION_TYPES));
const creation = serdeStruct("NotificationCreateRequest", {
  id: serdeOptional(serdeText),
  type,
  url: serdeText,
  signing_key: serdeOptional(serdeText),
});
const update = serdeStruct("NotificationUpdateRequest", {
  type,
  url: serdeOptional(serdeText),
  signing_key: serdeOptional(serdeText),
});

/** Creates a notification. Null counts as absent, and a key has at least 32 bytes (facts 6). */
const createNotification = notificationCreateHandler((request) => {
  const body = serdeBody(request, creation);
  refuseBroken(body);
  return body;
});

/** Updates a notification. Absent or null keeps a field, an empty key removes it (facts 6). */
const updateNotification = notificationUpdateHandler(
  (request) => serdeBody(request, update),
  (patch) => refuseBroken(patch.signing_key === "" ? { ...patch, signing_key: undefined } : patch),
);

const ID_RULE = "ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long";
const LEAST_KEY = 32;

interface Given {
  id?: string | undefined;
  url?: string | undefined;
  signing_key?: string | undefined;
}

function refuseBroken({ id, url, signing_key: key }: Given): void {
  if (id !== undefined && !/^[a-zA-Z0-9_-]{1,36}$/.test(id)) throw new Refusal(400, ID_RULE);
  if (url !== undefined && !URL.canParse(url)) throw new Refusal(400, "Invalid URL format");
  if (key !== undefined && new TextEncoder().encode(key).length < LEAST_KEY) {
    throw new Refusal(400, `Signing key must be at least ${LEAST_KEY} characters long`);
  }
}

/** A bare URL, or a URL with its weight (facts 8.2). */
const rpcUrl = serdeAsSent(serdeAnyOf<unknown>("RpcUrlEntry", [serdeText, rpcConfig]));
const readUpdate = serdeStruct("UpdateNetworkRequest", { rpc_urls: serdeOptional(serdeList(rpcUrl)) });

/** A body of null has no fields. */
const updateNetwork = networkUpdateHandler((request) =>
  serdeBody(request, (value) => (value === null ? undefined : readUpdate(value).rpc_urls) as ReturnType<ReadRpcUrls>),
);

const readAnything: Read<JsonValue> = (value) => value;

const SHAPES: readonly Read<unknown>[] = [
  serdeStruct("Solana", { transaction: serdeText, fee_token: serdeText }),
  serdeStruct("Stellar", {
    transaction_xdr: serdeOptional(serdeText),
    operations: serdeOptional(serdeList(readAnything)),
    source_account: serdeOptional(serdeText),
    fee_token: serdeText,
  }),
];

/** The service's names for both shapes together, for its messages (facts 3.5). */
const ENUMS: Record<SponsoredVerb, string> = {
  quote: "SponsoredTransactionQuoteRequest",
  build: "SponsoredTransactionBuildRequest",
};

/** The real service's handlers that differ from the interface's. */
export const serviceHandlers: Readonly<Record<OperationId, Handler>> = {
  ...handlers,
  "relayers.list": shownPaged(relayerListHandler(shownRelayer)),
  "relayers.get": relayerGetHandler(shownRelayer),
  "relayers.create": shownByService(shownRelayer, createRelayer),
  "relayers.update": updateRelayer,
  "tx.list": shownPaged(shownByService(shownTransaction, handlers["tx.list"])),
  "tx.get": shownByService(shownTransaction, transactionGetHandler(anyTransaction)),
  "tx.get-by-nonce": shownByService(shownTransaction, handlers["tx.get-by-nonce"]),
  "tx.send": shownByService(shownTransaction, sendHandler(acceptAsService, getFlaw, replacementStyle)),
  "tx.replace": shownByService(shownTransaction, replaceTransaction),
  "tx.cancel": shownByService(shownTransaction, cancelHandler(anyTransaction, replacementStyle)),
  "tx.quote": sponsorHandler("quote", readSponsored("quote")),
  "tx.build": sponsorHandler("build", readSponsored("build")),
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "notifications.list": shownPaged(handlers["notifications.list"]),
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
  "signers.list": shownPaged(handlers["signers.list"]),
  "signers.create": createSigner,
  "plugins.list": shownPaged(handlers["plugins.list"]),
  "plugins.update": updatePlugin,
  "networks.list": shownPaged(handlers["networks.list"]),
  "networks.update": updateNetwork,
};

/** Returns a reader for either shape; the error for neither is a text (facts 1.8, 3.5). */
function readSponsored(verb: SponsoredVerb): ReadSponsored {
  const read = serdeAsSent<JsonObject>(serdeAnyOf(ENUMS[verb], SHAPES));
  return (request) => serdeBody(request, read);
}
