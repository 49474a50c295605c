import { describe, expect, test } from "vitest";
import { record } from "../../../chain/verdict/records.ts";
import { run, type WaitStory } from "../waiting-service.ts";

const REPLACE = `tx replace evm-1 tx-1 --to 0x${"3c".repeat(20)} --value 2000wei --gas-limit 21000 --speed fast --yes`;
const CANCEL = "tx cancel evm-1 tx-1 --yes";

function story(more: Partial<WaitStory>): WaitStory {
  return { record: () => record(), written: () => record(), chain: () => ({}), ...more };
}
const capped = (gas_price_cap: string) => ({ relayer: { policies: { gas_price_cap } } });
const tagged = { network: { tags: ["optimism"] } };

describe("a replacement of a submitted transaction", () => {
  test("that the cap keeps from being broadcast is refused, with the cap that suffices", async () => {
    const ran = await run(REPLACE, story(capped("11500000000")));
    expect(ran.exitCode, ran.stderr).toBe(6);
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("never broadcast it below 12.1 gwei (short in max_fee_per_gas by 0.6 gwei)\n");
    expect(ran.stderr).toContain("nothing was sent\n");
    expect(ran.stderr).toContain("relayctl relayers update evm-1 --policy gas_price_cap=12100000000wei\n");
    expect(ran.stderr).toContain("relayctl tx cancel evm-1 tx-1\n");
  });

  test("is sent with --force, with a warning", async () => {
    const ran = await run(`${REPLACE} --force`, story(capped("11500000000")));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("warning: gas_price_cap is 11.5 gwei");
  });

  test("is sent if the cap suffices", async () => {
    const ran = await run(REPLACE, story(capped("12100000000")));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).not.toContain("never broadcast");
  });

  test("on a tagged network does not mention the cap, and is sent if the node cannot be asked", async () => {
    const ran = await run(REPLACE, story({ ...capped("11500000000"), ...tagged }));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("note: the market's price could not be read, and was not checked");
    expect(ran.stderr).not.toContain("gas_price_cap");
  });
});

test("a cancellation is not capped", async () => {
  const ran = await run(CANCEL, story(capped("1")));
  expect(ran.writes).toHaveLength(1);
});
