import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../helpers/cli.ts";

const PROMTOOL = "promtool";

/** Why rules cannot be evaluated here; empty if they can. */
export const whyNot =
  spawnSync(PROMTOOL, ["--version"]).status === 0 ? "" : " (skipped: npm run test:monitoring builds promtool)";

const NAMES = ["Stopped", "Jammed", "Slow", "RunwayShort", "BalanceLow", "Failing", "WebhooksSilent"].map(
  (name) => `Relayer${name}`,
);
const ALERTS = [...NAMES, "RelayctlBlind", "RelayctlPartlyBlind"];

export interface Rules {
  /** Returns what promtool prints about samples of a minute each. @param at minutes at which the alerts are compared */
  evaluate(series: readonly Record<string, string>[], firing: readonly string[], at: readonly number[]): string;
  /** Returns what promtool prints about a file of rules. */
  check(text: string): string;
  close(): void;
}

/** Puts the usual rules into a folder, for promtool. */
export async function openRules(): Promise<Rules> {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-alerts-"));
  writeFileSync(join(folder, "rules.yml"), (await cli("alerts --for prometheus")).stdout);
  return {
    evaluate(series, firing, at) {
      // `ALERTS` has each alert that fires, whatever its annotations are.
      const promql_expr_test = at.flatMap((minute) =>
        ALERTS.map((alertname) => ({
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: `${minute}m`,
          exp_samples: firing.includes(alertname) ? [{ labels: "{}", value: 1 }] : [],
        })),
      );
      const file = join(folder, "test.yml");
      const tests = [{ interval: "1m", input_series: series, promql_expr_test }];
      writeFileSync(file, JSON.stringify({ rule_files: ["rules.yml"], evaluation_interval: "1m", tests }));
      const { stdout, stderr } = spawnSync(PROMTOOL, ["test", "rules", file], { encoding: "utf8" });
      return `${stdout}${stderr}`;
    },
    check(text) {
      const file = join(folder, "more.yml");
      writeFileSync(file, text);
      return execFileSync(PROMTOOL, ["check", "rules", "--lint=none", file], { encoding: "utf8" });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
