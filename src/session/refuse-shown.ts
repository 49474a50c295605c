import type { Transport } from "../client/transport/transport.ts";

/** Rejects any request, since shown requests are not sent. */
export const refuseShown: Transport = () => Promise.reject(new Error("a shown request was about to be sent"));
