import { cli } from "../../helpers/cli.ts";
import { answering, evmRecord, many, one, relayerRecord } from "./wire.ts";

const NOW = "2026-11-21T03:12:07Z";
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const SERVICE = answering({
  "GET /relayers/evm-1": one(relayerRecord()),
  "GET /relayers/evm-1/transactions": many([
    evmRecord({ id: "t9", nonce: 9, created_at: ago(5) }),
    evmRecord({ id: "t8", nonce: 5, created_at: ago(40), status: "confirmed" }),
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
    ["✓ t8", "confirmed", "5", "40s", "–"],
    ["! t7", "submitted · slow", "7", "5m", "–"],
    ["✗ t6", "canceled", "6", "4m", "–"],
    [""],
  ]);
});

test("nothing waits for a nonce that a mined transaction proves to be used, wherever that is listed", async () => {
  const late = [
    evmRecord({ id: "t9", nonce: 9, created_at: ago(5) }),
    evmRecord({ id: "t8", nonce: 8, created_at: ago(6) }),
    evmRecord({ id: "t5", nonce: 5, created_at: ago(400) }),
    evmRecord({ id: "t6", nonce: 6, created_at: ago(300), status: "confirmed" }),
  ];
  const pages = {
    "GET /relayers/evm-1": one(relayerRecord()),
    "GET /relayers/evm-1/transactions": many(late),
    "GET /relayers/evm-1/transactions/t9": one(late[0] ?? {}),
  };
  const { stdout } = await cli("tx list evm-1 --color never", { ...TERMINAL, service: answering(pages) });
  expect(
    stdout
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/).slice(0, 5))
      .slice(1, 4),
  ).toEqual([
    ["○ t9", "submitted", "9", "5s", "nonce 8"],
    ["● t8", "submitted", "8", "6s", "–"],
    ["! t5", "submitted · slow", "5", "6m", "–"],
  ]);
  const shown = await cli("tx get evm-1 t9 --color never", { ...TERMINAL, service: answering(pages) });
  expect(shown.stdout).toMatch(/^why +it waits for nonce 8: /m);
});

test("a table in a pipe shows exact times, and nothing that changes with the clock", async () => {
  const { stdout } = await cli("tx list evm-1 -o table", { service: SERVICE });
  expect(stdout).toMatch(/^t9 +submitted +9 +2026-11-21 03:12:02Z /m);
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
