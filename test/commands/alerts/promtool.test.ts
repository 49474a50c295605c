import { cli } from "../../helpers/cli.ts";
import { openRules, type Rules, whyNot } from "./evaluated-rules.ts";

const LABELS = 'context="prod",relayer="r1",network="sepolia"';
const BALANCE = `relayctl_relayer_balance{${LABELS},coin="ETH",unit="wei"`;

/** The series of one relayer that an exporter prints, from the pod that is scraped. */
function seriesOf(pod: string, values: Readonly<Record<string, string>>): Record<string, string>[] {
  const named: Record<string, string> = {
    balance: `${BALANCE}`,
    min_balance: `relayctl_relayer_min_balance{${LABELS},coin="ETH",unit="wei"`,
    disabled: `relayctl_relayer_state{${LABELS},state="disabled"`,
    success: 'relayctl_scrape_success{context="prod"',
  };
  return Object.entries(values).map(([name, text]) => ({
    series: `${named[name] ?? `relayctl_relayer_${name}{${LABELS}`},pod="${pod}"}`,
    values: text,
  }));
}

const HEALTHY = {
  balance: "1000+0x120",
  min_balance: "500+0x120",
  runway_seconds: "900000+0x120",
  nonce_drift: "1+0x120",
  pending: "1+0x120",
  oldest_pending_seconds: "30+0x120",
  disabled: "0+0x120",
  success: "1+0x120",
};

const failed = (values: string, reason = "reverted") => ({
  series: `transactions_failed_total{relayer_id="r1",network_type="evm",failure_reason="${reason}",previous_status="sent"}`,
  values,
});
const succeeded = (values: string) => ({
  series: 'transactions_success_total{relayer_id="r1",network_type="evm"}',
  values,
});

/** The last webhook of the relayer, which came at the minute. */
const heard = (minute: number) => ({
  series: 'relayctl_webhook_last_delivery_timestamp_seconds{relayer="r1",pod="a"}',
  values: `${60 * minute}+0x120`,
});

const FIRST_HALF = Object.fromEntries(
  Object.entries(HEALTHY).map(([name, text]) => [name, `${text.replace("x120", "x29")} stale`]),
);
const SECOND_HALF = Object.fromEntries(
  Object.entries(HEALTHY).map(([name, text]) => [name, `_x32 ${text.replace("x120", "x87")}`]),
);
const jammed = { oldest_pending_seconds: "700+60x120", nonce_drift: "4+0x120" };
const halves = (values: string, part: "first" | "second") =>
  part === "first" ? `${values}x29 stale` : `_x32 ${values}x87`;

const CASES: readonly (readonly [name: string, series: Record<string, string>[], firing: readonly string[]])[] = [
  ["a healthy relayer", seriesOf("a", HEALTHY), []],
  ["a healthy relayer whose exporter restarts", [...seriesOf("a", FIRST_HALF), ...seriesOf("b", SECOND_HALF)], []],
  ["a new relayer that only has a state", seriesOf("a", { disabled: "0+0x120", success: "1+0x120" }), []],
  ["a disabled relayer", seriesOf("a", { ...HEALTHY, disabled: "1+0x120" }), ["RelayerStopped"]],
  ["a relayer that was disabled for 3 minutes", seriesOf("a", { ...HEALTHY, disabled: "0x55 1x2 0x60" }), []],
  ["a jammed queue", seriesOf("a", { ...HEALTHY, ...jammed }), ["RelayerJammed"]],
  ["a slow queue", seriesOf("a", { ...HEALTHY, ...jammed, nonce_drift: "0+0x120" }), ["RelayerSlow"]],
  [
    "a slow queue without nonces",
    seriesOf("a", { oldest_pending_seconds: "700+0x120", success: "1x120" }),
    ["RelayerSlow"],
  ],
  [
    "a short runway that falls",
    seriesOf("a", { ...HEALTHY, runway_seconds: "100000-60x120", balance: "2000-1x120" }),
    ["RelayerRunwayShort"],
  ],
  ["a short runway that does not fall", seriesOf("a", { ...HEALTHY, runway_seconds: "100000+0x120" }), []],
  ["an endless runway", seriesOf("a", { ...HEALTHY, runway_seconds: Array(121).fill("Inf").join(" ") }), []],
  ["a balance below the minimum", seriesOf("a", { ...HEALTHY, balance: "400+0x120" }), ["RelayerBalanceLow"]],
  ["an empty balance", seriesOf("a", { ...HEALTHY, balance: "0+0x120" }), ["RelayerBalanceLow"]],
  ["more than 10% of failures", [failed("0+1x120"), succeeded("0+2x120")], ["RelayerFailing"]],
  ["failures alone", [failed("0+1x120")], ["RelayerFailing"]],
  ["few failures among many", [failed("0+1x120"), succeeded("0+20x120")], []],
  ["2 failures in an hour", [failed("0x70 1x20 2x60")], []],
  ["webhooks that stopped", [succeeded("0+1x120"), heard(20)], ["RelayerWebhooksSilent"]],
  [
    "webhooks that stopped together with their receiver",
    [succeeded("0+1x120"), { ...heard(20), values: "1200x60 stale" }],
    ["RelayerWebhooksSilent"],
  ],
  ["a recent webhook", [succeeded("0+1x120"), heard(60)], []],
  ["no webhook, and no transaction", [succeeded("9+0x120"), heard(20)], []],
  ["transactions where no webhook was ever received", [succeeded("0+1x120")], []],
  ["cancellations", [failed("0+1x120", "canceled")], []],
  ["a service that cannot be read", seriesOf("a", { success: "0+0x120" }), ["RelayctlBlind"]],
  ["an exporter that is gone", seriesOf("a", { ...HEALTHY, success: "1x59 stale" }), ["RelayctlBlind"]],
  ["a node that does not respond", seriesOf("a", { ...HEALTHY, success: "0+0x120" }), ["RelayctlPartlyBlind"]],
];

describe.skipIf(whyNot !== "")(`rules in Prometheus${whyNot}`, () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());
  const evaluate: Rules["evaluate"] = (...samples) => rules.evaluate(...samples);

  test("are valid", () => {
    const flags = "--warn pending>5 --crit nonce_drift>2 --warn balance<1eth --crit balance<2sol --crit balance<5gwei";
    return cli(`alerts --for prometheus ${flags}`).then(({ stdout }) =>
      expect(rules.check(stdout)).toContain("SUCCESS"),
    );
  });

  test.each(CASES)("fire as they should for %s", (_, series, firing) => {
    expect(evaluate(series, firing, [100])).toContain("SUCCESS");
  });

  test("keep firing while the exporter restarts", () => {
    const series = (["first", "second"] as const).flatMap((part) =>
      seriesOf(part, {
        oldest_pending_seconds: halves("700+0", part),
        nonce_drift: halves("4+0", part),
        disabled: halves("0+0", part),
        success: halves("1+0", part),
      }),
    );
    expect(evaluate(series, ["RelayerJammed"], [20, 30, 31, 32, 33, 34, 50])).toContain("SUCCESS");
  });

  test("resolve after the cause is gone", () => {
    const series = seriesOf("a", { ...HEALTHY, disabled: "1x40 0x80" });
    expect(evaluate(series, ["RelayerStopped"], [30])).toContain("SUCCESS");
    expect(evaluate(series, [], [60])).toContain("SUCCESS");
  });
});
