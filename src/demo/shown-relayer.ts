import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import { memoized } from "./memoized.ts";

/** A relayer as it is answered: its RPC URLs masked, as the real service has them (service-facts 4.4). */
export const shownRelayer = memoized(withMaskedRpcUrls);
