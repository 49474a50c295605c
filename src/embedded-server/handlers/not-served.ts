import type { Handler } from "../handler.ts";
import { Refusal } from "../refusal.ts";

/** An operation of the service that the embedded server does not play. */
export const notServed: Handler = async () => {
  throw new Refusal(501, "The embedded server does not serve this");
};
