/** Returns a relayer with its RPC URLs masked, as by the real service (facts 4.4). */
export { withMaskedRpcUrls as shownRelayer } from "../contract/rpc-url.ts";
