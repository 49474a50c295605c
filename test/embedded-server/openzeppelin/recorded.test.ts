import { describe, expect, test } from "vitest";
import { DEAD, dataOf, replayed } from "./replay.ts";

/** Deliberate differences, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "gzip asked": "nothing is compressed",
  "create unknown signer": "a relayer may have any signer, so that one can be tried without a key",
  "api keys": "keys that do nothing have no route",
  "big body": "a body is cut before it is heard, over sockets alone (listen.test.ts)",
  "delete relayer in use": "other transactions are under way by then",
  "replace value string u128": "the relayer holds another balance",
};

const replies = await replayed();

describe.each(["auth", "paging", "signers", "notifications", "relayers", "transactions", "others", "policies"])(
  "%s",
  (section) => {
    const all = replies.filter(({ exchange }) => exchange.section === section && !(exchange.name in OTHERWISE));
    test.each(all.map((reply) => [reply.exchange.name, reply] as const))("%s", (_, { exchange, ...reply }) => {
      const { status, headers, body } = exchange.response;
      expect([reply.status, reply.type]).toEqual([status, headers["content-type"]]);
      const isRefused = status >= 400 || !body.startsWith("{");
      if (isRefused) expect(reply.text).toBe(body.replace(...DEAD));
      else expect(Object.keys(dataOf(reply.text))).toEqual(Object.keys(dataOf(body)));
      if (/\/(?:relayers|notifications|signers|networks)\/[^/]+$/.test(exchange.request.path)) {
        expect(dataOf(reply.text)).toEqual(dataOf(body));
      }
    });
  },
);
