/** The schemas of request bodies. Commands without a body do not import them: zod is slow to load. */
export { jsonRpcSchema } from "./requests/json-rpc.ts";
export { updateNetworkSchema } from "./requests/network.ts";
export { createNotificationSchema, updateNotificationSchema } from "./requests/notification.ts";
export { updatePluginSchema } from "./requests/plugin.ts";
export { policySchemas } from "./requests/policy.ts";
export { fieldSchema, itemSchema } from "./requests/policy-field.ts";
export { createRelayerSchema, updateRelayerSchema } from "./requests/relayer.ts";
export { replacementSchemas } from "./requests/replacement.ts";
export { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "./requests/sign.ts";
export { createSignerSchemas, fieldProblem } from "./requests/signer.ts";
export { type SponsoredKind, sponsoredSchemas } from "./requests/sponsored.ts";
export { stellarStages, transactionSchemas, transactionShapes } from "./requests/transaction.ts";
