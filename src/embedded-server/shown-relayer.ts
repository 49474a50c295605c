import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import { memoized } from "./memoized.ts";

/** A relayer as it is returned: its RPC URLs masked, as by the real service (facts 4.4). */
export const shownRelayer = memoized(withMaskedRpcUrls);
