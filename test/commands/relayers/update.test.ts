import { describe, expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";
import { appliedIn, WHILE_PAUSED } from "../../helpers/receipts.ts";

describe("relayers update", () => {
  test("sends only the specified fields", async () => {
    const ran = await cli("relayers update eth-main-1 --paused");
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: `${appliedIn("http://127.0.0.1:8080")}eth-main-1 paused\n` + `paused: ${WHILE_PAUSED}\n`,
    });
    expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["PATCH", "/api/v1/relayers/eth-main-1", '{"paused":true}'],
    ]);
  });
});
