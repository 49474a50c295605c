/** The schemas of request bodies. Commands without a body do not import them: zod is slow to load. */
export { jsonRpcSchema } from "./requests/json-rpc.ts";
export { listedAddressProblem, policySchemas, replaceAddresses, typedPolicySchemas } from "./requests/policy.ts";
export { fieldSchema, itemSchema } from "./requests/policy-field.ts";
export { replacementSchemas } from "./requests/replacement.ts";
export {
  createNotificationSchema,
  createRelayerSchema,
  updateNetworkSchema,
  updateNotificationSchema,
  updatePluginSchema,
  updateRelayerSchema,
} from "./requests/resources.ts";
export { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "./requests/sign.ts";
export { createSignerSchemas, fieldProblem } from "./requests/signer.ts";
export { type SponsoredKind, sponsoredSchemas } from "./requests/sponsored.ts";
export { stellarStages, transactionSchemas, transactionShapes, transferShape } from "./requests/transaction.ts";
