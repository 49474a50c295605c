import { describe, expect, test } from "vitest";
import { cli } from "../helpers/cli.ts";
import { intent, outcome, recorded } from "./history/recorded.ts";
import { addressOf, toppingWorld } from "./topup/topping-world.ts";

const WIDTHS = [60, 80, 100, 140];
const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

describe("audit", () => {
  test("shows what became of each nonce, against what the service recorded", async () => {
    const ran = await cli("audit base-hot --demo -o json");
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, writes: [] });
    expect(JSON.parse(ran.stdout)).toMatchObject(
      [
        { nonce: 0, kind: "other_version", value: 20_000_000_000_000_000, to: TO, relayer_id: "base-hot", coin: "ETH" },
        { nonce: 1, kind: "cancel_lost", value: 40_000_000_000_000_000, evidence: ["chain", /^record:/] },
      ].map((row) => ({ ...row, evidence: expect.arrayContaining(["chain"]) })),
    );
    expect(ran.stderr).toBe(
      "2 nonces: 1 other version, 1 cancel lost\nshown by: chain 100%, records 100%, journal 0%\n",
    );
  });

  test("fails a check for a nonce that is foreign, doubled, missing, or of a version that no record shows, and only for those", async () => {
    expect((await cli("audit base-hot --demo --check --nonces 1..1")).exitCode).toBe(0);
    const presumed = await cli("audit base-hot --demo --check");
    expect(presumed.exitCode).toBe(13);
    expect(presumed.stderr).toContain("the check did not pass: 1 other version that no record shows\n");
    const shown = JSON.parse((await cli("audit base-hot --demo -o json")).stdout);
    const ids: string[] = shown.map(({ evidence }: { evidence: string[] }) => evidence[1]?.replace("record:", ""));
    const time = "2026-11-20T23:00:00.000Z";
    const twice = ids.flatMap((id) => [
      intent(id, { operation: "tx.send", once: "invoice-1", ids: { relayer_id: "base-hot" }, time }),
      outcome(id, { after: { id, nonce: null, hash: null }, time }),
    ]);
    const ran = await cli("audit base-hot --check", recorded(twice));
    expect(ran, ran.stderr).toMatchObject({ exitCode: 13 });
    expect(ran.stderr).toContain("the check did not pass: 1 doubled, 1 other version that no record shows");
  });

  test("reads the nonces of a range", async () => {
    const ran = await cli("audit base-hot --demo --nonces 1..1 -o json");
    expect(JSON.parse(ran.stdout)).toMatchObject([{ nonce: 1 }]);
  });

  test("shows what a transaction calls, in tables and data", async () => {
    const world = toppingWorld(1);
    const data = `0xa9059cbb${TO.slice(2).padStart(64, "0")}${(1_000_000).toString(16).padStart(64, "0")}`;
    await world.run(`tx send purse --to ${addressOf(1)} --value 0 --data ${data} --speed fast --yes`);
    await world.pass(60_000);
    const call = "transfer(to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, amount 1000000)";
    const [row] = JSON.parse((await world.run("audit purse -o json")).stdout);
    expect(row).toMatchObject({ nonce: 0, kind: "recorded", call });
    const table = await world.run("audit purse --color never", undefined, { terminal: true, columns: 80 });
    expect(table.stdout).toMatch(/^ {2}HASH, CALL\n.*\n {2}0x\w{64}\n {2}transfer\(/m);
    expect(table.stdout).toContain(`  ${call}\n`);
    expect((await world.run("audit purse --fields nonce,call -o csv")).stdout).toContain(`0,"${call}"`);
  });

  test("keeps final nonces in the folder of --state, and does not read them again", async () => {
    const world = toppingWorld(1);
    await world.run(`tx send purse --to ${addressOf(1)} --value 1 --speed fast --yes`);
    await world.pass(3_600_000);
    const kept = new Map<string, string>();
    const first = await world.run("audit purse --state nonces -o json", undefined, { kept });
    expect([...kept.keys()]).toContainEqual(expect.stringMatching(/^nonces\/nonces-/));
    const again = await world.run("audit purse --state nonces -o json", undefined, { kept });
    expect(again.stdout).toBe(first.stdout);
    expect(again.requests.length).toBeLessThan(first.requests.length);
  });

  test.each([
    ["audit base-hot --state ''", "--state"],
    ["audit --nonces 1..2", "--nonces"],
    ["audit base-hot --nonces 2..1", "--nonces"],
    ["audit base-hot --nonces 1..2 --since 1d", "--nonces"],
    ["audit xlm-pay", "is a stellar relayer; only the nonces of EVM relayers can be read"],
    ["audit base-hot -o raw", "-o"],
  ])("refuses %s", async (line, words) => {
    const ran = await cli(`${line} --demo`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: "", writes: [] });
    expect(ran.stderr).toContain(words);
  });

  test("reads the others if a relayer cannot be read, and says so", async () => {
    const ran = await cli("audit base-hot eth-main-2 --demo -o json");
    expect(ran.exitCode).toBe(12);
    expect(JSON.parse(ran.stdout)).toHaveLength(2);
    expect(ran.stderr).toContain("eth-main-2: the chain of eth-main-2 cannot be read: Relayer paused");
    expect(ran.stderr).toContain("1 of 2 relayers could not be read");
  });

  test.each(WIDTHS)("fits a terminal of %i columns, with whole hashes and addresses", async (columns) => {
    const ran = await cli("audit base-hot eth-main-1 --demo --color never", { terminal: true, columns });
    expect(ran.stdout).toMatchSnapshot();
  });
});
