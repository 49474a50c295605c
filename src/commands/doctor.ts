import { readOnlyRefusal } from "../client/read-only.ts";
import { readIds } from "../command-support/ids.ts";
import { canPrompt } from "../command-support/prompting/prompts.ts";
import { readOnlyPlace } from "../config/environment.ts";
import { type Problems, validateFileFlag } from "../contract/problems.ts";
import { ALL_CODES, type DoctorCode, doctorCodesFor, MOST_RELAYERS, SEVERITIES } from "../doctor/codes.ts";
import { didYouMean, nearestChoice } from "../nearest.ts";
import { findingView } from "../views/doctor/report.ts";
import { type Call, type CommandSyntax, createCommand, type ParsedFlags, refuseRaw } from "./command.ts";
import { relayerArgument } from "./resource-arguments.ts";

type Flags = ParsedFlags<typeof defineDoctor>;

const AS_PRINTED = "not supported: --fix runs each command as it is printed";

export const doctor = createCommand({
  summary: "Check the service and its relayers, and show a fix for each problem",
  sends: "read",
  alsoSends: ["patch", "remove", "create", "once"],
  refuses: { confirm: AS_PRINTED, reason: AS_PRINTED },
  mayOnlyAsk: true,
  ends: {
    ok: "nothing fails",
    declined: "--fix in read-only mode",
    unmet: "a finding fails",
    partial: "only a part could be examined",
    not_found: "relayer not found",
  },
  examples: [
    "relayctl doctor",
    "relayctl doctor --local",
    "relayctl doctor --ignore REL-ANY-RECEIVER,REL-NO-BUMP --fail-on warn",
  ],
  resource: findingView,
  contexts: { oneOnly: ["fix", "junit", "local"] },
  args: [
    {
      ...relayerArgument,
      name: "[relayer-ids...]",
      description: `Relayer IDs (default: up to ${MOST_RELAYERS} relayers, the disabled and paused ones first)`,
    },
  ],
  description:
    "Check the service, its relayers, their queues, nodes, balances, and notifications, and show each problem with a stable code, a severity (fail, warn, note), and the command that fixes it, or advice. A word in capitals in a command stands for a value that only you know, e.g. a URL. Only reads: at most 8 requests for each relayer. A check that cannot be made is reported as skipped, with the reason; a node that hangs delays nothing else.",
  define: defineDoctor,
  async prepare(call, problems) {
    const { failOn = "fail", all, fix, junit, local, notes, only } = call.flags;
    if (local) refuseTargets(call, problems);
    const { format, fields } = call.output;
    refuseRaw(call, problems);
    const isWhole = format === "json" || format === "yaml" || (format === undefined && call.app.stdout.isTerminal);
    if (fields !== undefined && isWhole)
      problems.add("--fields", "selects columns of -o tsv, csv, and ndjson; use --query for others");
    const place = readOnlyPlace(call.app.env);
    if (fix && place !== undefined) throw readOnlyRefusal("doctor --fix", place);
    if (fix && !canPrompt(call.app, call.common)) problems.add("--fix", NO_TERMINAL);
    if (fix && call.common.yes) problems.add("--fix", "cannot be combined with --yes: it asks for each command");
    validateFileFlag(problems, "--junit", junit);
    return {
      ids: await readIds(call, problems, "relayer-id"),
      all: all === true,
      codes: wantedCodes(call.flags, problems),
      showsNotes: notes === true || only !== undefined || failOn === "note",
      fix: fix === true,
      junit,
      failOn: SEVERITIES.find((each) => each === failOn) ?? "fail",
    };
  },
  run: async (call, request) =>
    call.flags.local
      ? await (await import("./doctor/local/run-local.ts")).runLocalDoctor(call, request)
      : await (await import("./doctor/report/run-doctor.ts")).runDoctor(call, request),
});

function defineDoctor(command: CommandSyntax) {
  return command
    .optionsGroup("Checks")
    .option("--only <codes>", "Make only these checks, e.g. SVC-AUTH,REL-DISABLED (see `relayctl help codes`)")
    .option("--ignore <codes>", "Leave these checks out")
    .choice("--fail-on <severity>", "Least severity that fails (default: fail)", SEVERITIES)
    .option("--all", `Check all relayers, even more than ${MOST_RELAYERS}`)
    .option("--fix", "Ask for each command that needs nothing else, run it, and check again (needs a terminal)")
    .option("--local", "Check only this machine: config, modes, journal, tokens, certificates, PATH; sends nothing")
    .option("--notes", "Show each note on a terminal, which otherwise shows how many there are")
    .option("--junit <file>", "Also write a report in JUnit's XML to a new file, for CI");
}

function refuseTargets({ args, flags }: Call<Flags>, problems: Problems): void {
  const others = { "relayer IDs": args.length > 0, "--all": flags.all };
  for (const [other, isTyped] of Object.entries(others))
    if (isTyped) problems.add("--local", `cannot be combined with ${other}`);
}

const NO_TERMINAL = "needs a terminal, since it asks for each command; in scripts, run the commands of -o json";

/** Without checks, every service would look healthy. */
function wantedCodes({ only, ignore, local }: Flags, problems: Problems): readonly DoctorCode[] {
  const left = codesIn(ignore, "--ignore", problems);
  const possible = doctorCodesFor(local === true);
  const codes = only === undefined ? possible : codesIn(only, "--only", problems);
  const others = codes.filter((code) => !possible.includes(code));
  if (others.length > 0)
    problems.add("--only", `needs a command ${local ? "without" : "with"} --local`, others.join(","));
  const wanted = codes.filter((code) => !left.includes(code));
  if (wanted.length === 0 && codes.length > 0) problems.add("--ignore", "leaves no check to make");
  return wanted;
}

function codesIn(text: string | undefined, flag: string, problems: Problems): readonly DoctorCode[] {
  if (text === undefined) return [];
  const typed = text.split(",").map((word) => word.trim().toUpperCase());
  const unknown = typed.filter((word) => !ALL_CODES.some((code) => code === word));
  if (unknown.length > 0)
    problems.add(
      flag,
      `unknown code${didYouMean(unknown, ALL_CODES) || nearestChoice(unknown, ALL_CODES)}`,
      unknown.join(","),
    );
  return ALL_CODES.filter((code) => typed.includes(code));
}
