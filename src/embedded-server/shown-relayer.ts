import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import { memoized } from "./memoized.ts";

/** Returns a relayer with its RPC URLs masked, as by the real service (facts 4.4). */
export const shownRelayer = memoized(withMaskedRpcUrls);
