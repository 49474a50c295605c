import { readIds } from "../../command-support/ids.ts";
import { GUARD_INTERVAL, ON_CHANGE_TIMEOUT, REFUSED_TIME, UNREAD_TIME } from "../../timing.ts";
import { statusView } from "../../views/relayer-status/table.ts";
import { createCommand } from "../command.ts";
import { anyRelayersArgument } from "../resource-arguments.ts";
import { parseWatchFlag, watchProgramFlag } from "../watch/flag.ts";

export const relayersGuard = createCommand({
  summary: "Watch relayers, and pause each that meets a condition",
  sends: "patch",
  ends: {
    ok: "stopped by Ctrl-C or --deadline; every relayer was measured, and none paused",
    unmet: "a relayer was paused",
  },
  refuses: { curl: "not supported: what is sent depends on what is measured" },
  examples: [
    "relayctl relayers guard base-hot --pause-if 'spend_1d>2eth' --yes --deadline 10m",
    "relayctl relayers guard base-hot eth-main-1 --pause-if 'spend_1h>1eth' --pause-if 'balance<0.01eth' --dry-run",
    "relayctl relayers guard base-hot --pause-if 'balance<0.05eth' --keep --every 5m --yes --deadline 10m -o ndjson",
  ],
  resource: statusView,
  args: [anyRelayersArgument],
  paginates: true,
  readsFirst: true,
  description: `Measure relayers at an interval, and pause each relayer that meets a condition, no matter who sent its transactions. relayctl reads spending from the chain, as \`relayers status --fields spend_1d\` does. The command asks once at the start, and can do nothing but pause. If a relayer can't be measured for ${UNREAD_TIME / 60_000} minutes, or is refused, relayctl prints a warning, and keeps trying; if it still can't at the end, or after ${REFUSED_TIME / 60_000} minutes of nothing but refusals, the guard fails. Transactions that are already pending can still be mined after the pause.`,
  define: (command) =>
    command
      .optionsGroup("Guard")
      .option(
        "--pause-if <condition>",
        "Pause a relayer that meets this condition on balance, runway, pending, oldest, nonce_drift, spend_1h, spend_1d (only EVM), or erc20.NAME, e.g. 'spend_1d>2eth' (required; repeatable, and one is enough)",
        "values",
      )
      .option(
        "--where <condition>",
        "Guard matching relayers, e.g. relayer.network=base (repeatable; all must match)",
        "values",
      )
      .option("--every <time>", `Time between two measurements (default: ${GUARD_INTERVAL / 1_000}s)`)
      .option("--keep", "Keep guarding the other relayers after a pause")
      .option(
        "--on-change <program>",
        `Run a program for each pause and each warning, with its JSON event on stdin: words as in a shell, without a shell, each within ${ON_CHANGE_TIMEOUT / 1_000}s`,
      ),
  async prepare(call, problems) {
    const { app, flags, output } = call;
    const { pauseIf, every, onChange } = flags;
    if (!pauseIf) problems.add("--pause-if", "is required: a condition such as 'spend_1d>2eth'");
    if (output.format !== undefined && !["table", "ndjson"].includes(output.format))
      problems.add("-o", "a guard prints events: use ndjson", output.format);
    const { readThresholds } = await import("../../views/relayer-status/thresholds.ts");
    const program = { ...(onChange !== undefined && { onChange }), watch: "" };
    const ofTokens = (pauseIf ?? []).filter((text) => text.includes("erc20"));
    const erc20 =
      ofTokens.length > 0
        ? await (await import("./status/erc20-use.ts")).readErc20Use({ ...call, flags: {} }, ofTokens, problems)
        : undefined;
    return {
      ids: await readIds(call, problems, "id"),
      conditions: readThresholds("--pause-if", pauseIf, problems, erc20?.decimals),
      erc20,
      every: parseWatchFlag("--every", every, problems) ?? GUARD_INTERVAL,
      onChange: await watchProgramFlag({ app, flags: program }, problems),
    };
  },
  run: async (call, typed) => (await import("./guard/run-guard.ts")).runGuard(call, typed),
});
