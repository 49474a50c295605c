import type { Handler } from "../handler.ts";
import { Refusal } from "../refusal.ts";

/** Handles an operation that the embedded server does not support. */
export const notServed: Handler = async () => {
  throw new Refusal(501, "The embedded server does not serve this");
};
