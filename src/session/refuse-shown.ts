import type { Transport } from "../client/transport/transport.ts";

/** Rejects any request: a request that is shown is not sent. */
export const refuseShown: Transport = () => Promise.reject(new Error("a shown request was about to be sent"));
