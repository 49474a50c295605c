import { commonTargetFlags } from "../command-support/common-flags.ts";
import { readIds } from "../command-support/ids.ts";
import { whyNoPrompt } from "../command-support/prompting/prompts.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import { hasPlainLines } from "../terminal/capabilities.ts";
import { SLOWER_WATCH, USUAL_WATCH } from "../timing.ts";
import { statusViewWithoutSpends } from "../views/relayer-status/table.ts";
import { type Call, createCommand } from "./command.ts";
import { defineChoosingFlags } from "./list-flags.ts";
import { parseWatchFlag } from "./watch/flag.ts";

const OWN_QUESTIONS = "each command that a key runs asks itself";

export const top = createCommand({
  summary: "Watch relayers on the whole terminal, and act on them with keys",
  sends: "read",
  alsoSends: ["patch", "remove", "create", "once"],
  mayOnlyAsk: true,
  examples: [
    "relayctl top",
    "relayctl top eth-main-1 base-hot --every 5s",
    "relayctl top --where relayer.network=base",
  ],
  resource: statusViewWithoutSpends,
  refuses: {
    confirm: OWN_QUESTIONS,
    reason: OWN_QUESTIONS,
    dryRun: "top only reads",
    curl: "top sends many requests",
    deadline: "top ends with q",
    query: "top prints no data; use relayctl relayers status",
    fields: "top has its own columns; use relayctl relayers status",
  },
  args: [{ name: "[ids...]", description: "Relayer IDs (default: all)", noun: "relayer" }],
  paginates: true,
  contexts: { itself: true },
  description: `Show relayers on the whole terminal, the worst first, with balances, pending transactions, and a log of events. Enter opens a relayer and then a transaction, \`/\` filters, \`s\` sorts, and \`?\` lists all keys. Keys that act (\`u\` unstick, \`b\` bump, \`p\` pause, \`r\` resume, \`d\` doctor, \`w\` explorer) leave the screen, run that command with its own questions, and return. The list is read at an interval, and data that takes requests for each relayer at most every ${SLOWER_WATCH / 1_000}s, the relayers in view first. Without a terminal, or for a screen reader, use \`relayctl relayers status --watch ${USUAL_WATCH / 1_000}s\`.`,
  define: (command) =>
    command
      .optionsGroup("Screen")
      .option("--every <time>", `Read the list at this interval (default: ${USUAL_WATCH / 1_000}s)`)
      .include(defineChoosingFlags, "health.state!=active, relayer.network=base"),
  async prepare(call, problems) {
    refuseWithoutTerminal(call);
    const { format } = call.output;
    if (format !== undefined && format !== "table")
      problems.add("-o", "top prints no data; use relayctl relayers status", format);
    const every = parseWatchFlag("--every", call.flags.every, problems) ?? USUAL_WATCH;
    return { ids: await readIds(call, problems, "id"), every };
  },
  run: async (call, request) => (await import("./top/run-top.ts")).runTop(call, request),
});

function refuseWithoutTerminal({ app, common, args, output }: Call): void {
  const noInput = whyNoPrompt(app, common);
  const { env, stdout } = app;
  if (noInput === undefined && stdout.isTerminal && !hasPlainLines(env)) return;
  const why = env.TERM === "dumb" ? "TERM=dumb has no full screen" : "a screen reader gets lines";
  const reason = noInput ?? (stdout.isTerminal ? why : "stdout is not a terminal");
  const where = (output.where ?? []).flatMap((condition) => ["--where", condition]);
  const watch = ["relayers", "status", ...args, "--watch", `${USUAL_WATCH / 1_000}s`, ...where];
  throw new RelayctlError("usage", `top needs a full-screen terminal: ${reason}`, {
    hint: commandLine(...commonTargetFlags(common), ...watch),
  });
}
