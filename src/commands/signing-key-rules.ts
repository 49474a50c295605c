import { isLongEnough, SHORTEST_SIGNING_KEY } from "../contract/resources/notification.ts";

const EXAMPLE = "e.g. what openssl rand -hex 32 prints";

/** Returns why the service would refuse a key, so that it need not be typed twice. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return `enter a key, ${EXAMPLE}`;
  return isLongEnough(key) ? undefined : `needs ${SHORTEST_SIGNING_KEY} bytes or more, ${EXAMPLE}`;
}

/** What is wrong with a key that the interface allows and the real service rejects (facts 6). */
export const SHORT_KEY = `services up to v1.8 refuse a signing key of less than ${SHORTEST_SIGNING_KEY} bytes`;
