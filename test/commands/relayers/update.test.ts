import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { cli } from "../../helpers/cli.ts";
import { appliedIn, UNDO, WHILE_PAUSED } from "../../helpers/receipts.ts";
import { refusal, success } from "../../helpers/service/reply.ts";

test("sends only the specified fields", async () => {
  const ran = await cli("relayers update eth-main-1 --paused");
  expect(ran).toMatchObject({
    exitCode: 0,
    stderr: `${appliedIn("http://127.0.0.1:8080")}eth-main-1 paused\npaused: ${WHILE_PAUSED}\n${UNDO}relayctl relayers resume eth-main-1\n`,
  });
  expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
    ["PATCH", "/api/v1/relayers/eth-main-1", '{"paused":true}'],
  ]);
});

test.each(["relayers pause r1 --yes", "relayers resume r1", "relayers update r1 --paused"])(
  "%s for a script is sent whatever a read shows or whether it responds, and has its undo if one shows the state",
  async (line) => {
    const relayer = { id: "r1", network: "mainnet", network_type: "evm", policies: {} };
    const serving =
      (read: WireReply) =>
      async ({ method, body = "{}" }: WireRequest) =>
        method === "GET" ? read : success({ ...relayer, ...JSON.parse(body) });
    for (const paused of [true, false]) {
      const ran = await cli(line, { service: serving(success({ ...relayer, paused })) });
      expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
      expect(ran.requests.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
      const isChanged = paused === line.includes("resume");
      if (isChanged) expect(ran.stderr).toContain(`${UNDO}relayctl relayers ${paused ? "pause" : "resume"} r1\n`);
    }
    for (const status of [401, 403, 404, 429, 500]) {
      const ran = await cli(line, { service: serving(refusal(status, "no")) });
      expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
      expect(ran.stderr).not.toContain(UNDO);
    }
  },
);
