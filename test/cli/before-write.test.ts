import type { Transport } from "../../src/client/transport/transport.ts";
import { cli, printedError } from "../helpers/cli.ts";
import { refusal, success } from "../helpers/service/reply.ts";
import { lost } from "../helpers/service/scripted-service.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const WRITES = [
  `tx send r1 --to ${TO} --value 1wei --speed fast --yes`,
  `tx replace r1 t1 --to ${TO} --value 1wei --speed fast --yes`,
  "tx cancel r1 t1 --yes",
  "tx cancel-pending r1 --yes",
  "relayers update r1 --policy min_balance=1eth",
  "relayers update r1 r2 --policy min_balance=1eth --yes",
  "relayers pause r1 --diff",
  "relayers pause --all --yes",
  "relayers resume --where paused --yes",
  "relayers delete r1 --yes",
  "notifications create --id n1 --url https://h.example",
  "notifications update n1 --url https://h.example --diff",
  "notifications delete n1 --yes",
  "signers delete s1 --yes",
  "networks update evm:base --rpc-url https://a.example --diff",
];
const FAILURES: readonly (readonly [string, Transport])[] = [
  [
    "a read without a response",
    async () => {
      throw lost("timeout");
    },
  ],
  ["a failed read", async () => refusal(500, "boom")],
  ["a refused read", async () => refusal(401, "Unauthorized")],
  ["a read with invalid JSON", async () => success("{")],
];

async function failed(line: string, service: Transport) {
  const ran = await cli(`${line} --retries 0 -o json`, { service });
  const error = printedError(ran.stderr);
  return { ...ran, error };
}

describe.each(FAILURES)("%s before a write reports that nothing was sent", (_, service) => {
  test.each(WRITES)("%s", async (line) => {
    const { error, writes } = await failed(line, service);
    expect(writes).toEqual([]);
    expect(error.applied).toBe("no");
    expect(error.message.match(/nothing was sent/g)).toHaveLength(1);
  });
});

test("the text error has the same line", async () => {
  const ran = await cli(`${WRITES[0]} --retries 0`, { service: async () => refusal(500, "boom") });
  expect(ran.stderr).toMatch(/^error: boom\n {2}nothing was sent\n {2}hint: /);
});

describe("the line is missing for reads and for sent writes", () => {
  test.each(["relayers get r1", "relayers list", "relayers rpc r1 eth_blockNumber", "api GET /relayers", "tx list r1"])(
    "%s",
    async (line) => {
      const { error } = await failed(line, async () => refusal(500, "boom"));
      expect(error.message).not.toContain("nothing was sent");
    },
  );

  test("including a write whose read-back fails", async () => {
    const { error } = await failed("relayers pause r1", async ({ method }) =>
      method === "PATCH" ? refusal(500, "boom") : refusal(401, "Unauthorized"),
    );
    expect(error).toMatchObject({ code: "unknown", applied: "unknown" });
    expect(error.message).not.toContain("nothing was sent");
  });
});
