import { expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";
import { answering, evmRecord, many, one, relayerRecord } from "./wire.ts";

const NOW = "2026-11-21T03:12:07Z";
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const SERVICE = answering({
  "GET /relayers/evm-1": one(relayerRecord()),
  "GET /relayers/evm-1/transactions": many([
    evmRecord({ id: "t9", nonce: 9, created_at: ago(5) }),
    evmRecord({ id: "t8", nonce: 8, created_at: ago(40), status: "confirmed" }),
    evmRecord({ id: "t7", nonce: 7, created_at: ago(301), speed: "average" }),
    evmRecord({ id: "t6", nonce: 6, created_at: ago(299), status: "canceled" }),
  ]),
});
const TERMINAL = { service: SERVICE, terminal: true, columns: 200 };

test("a terminal shows ages, what waits for what, and what has been pending for longer than usual", async () => {
  const { stdout } = await cli("tx list evm-1 --color never", TERMINAL);
  expect(stdout.split("\n").map((line) => line.trim().split(/ {2,}/).slice(0, 5))).toEqual([
    ["ID", "STATUS", "NONCE", "AGE", "WAITS FOR"],
    ["○ t9", "submitted", "9", "5s", "nonce 7"],
    ["✓ t8", "confirmed", "8", "40s", "–"],
    ["! t7", "submitted · slow", "7", "5m", "–"],
    ["✗ t6", "canceled", "6", "4m", "–"],
    [""],
  ]);
});

test("a table in a pipe shows exact times, and nothing that changes with the clock", async () => {
  const { stdout } = await cli("tx list evm-1 -o table", { service: SERVICE });
  expect(stdout).toMatch(/^t9 +submitted +9 +2026-11-21T03:12:02\.000Z /m);
  expect(stdout).not.toMatch(/slow|waits/);
});

test("data output has neither, and requests nothing but the list", async () => {
  const { stdout, requests } = await cli("tx list evm-1", { service: SERVICE });
  expect(stdout).not.toMatch(/slow|waits/);
  expect(requests).toHaveLength(1);
});

test("a narrow terminal keeps status and age", async () => {
  const { stdout } = await cli("tx list evm-1 --color never", { ...TERMINAL, columns: 50 });
  expect(stdout.split("\n")[0]).toMatch(/ID +STATUS .*AGE/);
});
