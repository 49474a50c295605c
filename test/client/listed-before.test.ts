import { createClient } from "../../src/client/client.ts";
import { TransportFailure } from "../../src/client/transport/transport.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { LISTED_TIMEOUT } from "../../src/timing.ts";
import { success } from "../helpers/service/reply.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

test("a list that never comes ends after its own time limit, and the payment is sent once", async () => {
  const sent: string[] = [];
  const link = testClientContext(
    ({ method }: WireRequest, { signal }) => {
      sent.push(method);
      if (method === "POST") return Promise.resolve(success('{"id":"t1","status":"pending"}'));
      return new Promise((_, reject) => {
        const end = () => reject(new TransportFailure("timeout", "no response", { sent: true }));
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
    },
    { retries: 0 },
  );
  let why: Error | undefined;
  const log = {
    async begin(_: unknown, __: unknown, listed?: () => Promise<ReadonlySet<unknown>>) {
      why = listed && (await errorOf(listed()));
      return undefined;
    },
  };
  const client = createClient({ ...link, log });
  const { data } = await client.tx.send("r1", { to: "0x12", value: 1n });
  expect(data).toMatchObject({ id: "t1" });
  expect(why).toMatchObject({ failure: "network" });
  expect(link.waits).toEqual([LISTED_TIMEOUT]);
  expect(sent).toEqual(["GET", "POST"]);
});
