import type { Config, Context } from "../../../src/config/config.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { runWith } from "./stored-world.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OTHER = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

function configWith(more: Partial<Context> = {}): Config {
  return { version: 1, contexts: { prod: { server: "https://prod.example", token: TOKEN, ...more } } };
}

async function limitsAfter(flags: readonly string[], before: Partial<Context> = {}): Promise<Context | undefined> {
  const ran = await runWith(["context", "set", "prod", ...flags], { config: configWith(before) });
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  return ran.config.contexts.prod;
}

test.each<[string, object]>([
  ["1eth", { eth: "1000000000000000000" }],
  ["1.000000000000000001ether", { eth: "1000000000000000001" }],
  ["500gwei", { wei: "500000000000" }],
  ["2pol", { pol: "2000000000000000000" }],
  ["0.5sol", { sol: "500000000" }],
  ["100xlm", { xlm: "1000000000" }],
  ["5stroops", { xlm: "5" }],
  ["1eth,2pol", { eth: "1000000000000000000", pol: "2000000000000000000" }],
])("stores the limit %s exactly", async (text, expected) => {
  expect(await limitsAfter(["--max-value", text])).toMatchObject({ max_value: expected });
  expect(await limitsAfter(["--max-per-day", text])).toMatchObject({ max_per_day: expected });
});

test.each([["1"], ["0x10"], ["eth"], ["-1eth"], ["1.5wei"], ["1e18"], [""], ["1eth,1ether"], ["many"]])(
  "rejects the limit %j",
  async (text) => {
    const ran = await runWith(["context", "set", "prod", `--max-value=${text}`], { config: configWith() });
    expect([ran.exitCode, ran.config]).toEqual([2, configWith()]);
    expect(ran.stderr).toContain("--max-value");
  },
);

test.each([["@treasury"], ["0x12"], ["0x3C44cdddb6a900fa2b585dd299e03d12fa4293bc"], ["a b"], [""]])(
  "rejects the receiver %j",
  async (text) => {
    const ran = await runWith(["context", "set", "prod", `--allow-to=${text}`], { config: configWith() });
    expect([ran.exitCode, ran.config]).toEqual([2, configWith()]);
    expect(ran.stderr).toContain("--allow-to");
  },
);

test("keeps the limits of other coins, and replaces the list of receivers", async () => {
  const before = { max_value: { eth: "5", xlm: "7" }, allow_to: [TO] };
  const after = await limitsAfter(["--max-value", "6wei", "--max-value", "1stroop", "--allow-to", OTHER], before);
  expect(after).toMatchObject({ max_value: { eth: "5", xlm: "1", wei: "6" }, allow_to: [OTHER] });
});

test("removes limits", async () => {
  const before = { max_value: { eth: "5" }, max_per_day: { eth: "7" }, allow_to: [TO] };
  const after = await limitsAfter(["--no-max-value", "--no-max-per-day", "--no-allow-to"], before);
  expect(after).toEqual({ server: "https://prod.example", token: TOKEN });
});

describe("a protected context", () => {
  const before = { protected: true, max_value: { eth: "5" }, max_per_day: { eth: "7" }, allow_to: [TO] };

  test.each([
    [["--max-value", "6wei", "--max-per-day", "7wei"], []],
    [["--allow-to", TO.toUpperCase().replace("0X", "0x")], []],
  ])("keeps its limits with %j without a question", async (flags, questions) => {
    const ran = await runWith(["context", "set", "prod", ...flags], { config: configWith(before), terminal: true });
    expect(ran).toMatchObject({ exitCode: 0, questions });
  });

  test.each([
    [["--no-max-value"], "max value 0.000000000000000005 ETH → no limit"],
    [["--max-per-day", "0.000000000000000008eth"], "max per day 0.000000000000000007 ETH → 0.000000000000000008 ETH"],
    [["--allow-to", `${TO},${OTHER}`], `receivers ${OTHER}`],
    [["--no-allow-to"], "any receiver"],
  ])("asks before %j loosens its limits", async (flags, words) => {
    const line = ["context", "set", "prod", ...flags];
    const asked = await runWith(line, { config: configWith(before), terminal: true, answers: [true] });
    expect(asked.questions).toEqual([`Loosen the limits of protected context prod: ${words}?`]);
    expect(asked.config).not.toEqual(configWith(before));
    const refused = await runWith(line, { config: configWith(before) });
    expect([refused.exitCode, refused.config]).toEqual([3, configWith(before)]);
  });
});

test("context show and context list print the limits", async () => {
  const config = configWith({ max_value: { eth: "1500000000000000000", xlm: "5" }, allow_to: [TO, OTHER] });
  const world = { config, terminal: true, env: { NO_COLOR: "1" } };
  const { stdout } = await runWith(["context", "show", "prod"], world);
  expect(stdout).toContain("max value     1.5 ETH, 0.0000005 XLM\n");
  expect(stdout).toContain(`receivers     ${TO}\n`);
  const shown = await runWith(["context", "show", "prod", "-o", "json"], { config });
  expect(JSON.parse(shown.stdout)).toMatchObject({
    max_value: { eth: "1500000000000000000", xlm: "5" },
    max_per_day: null,
    allow_to: [TO, OTHER],
  });
  const listed = await runWith(["context", "list", "-o", "json"], { config });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "prod", allow_to: [TO, OTHER], max_per_day: null }]);
});
