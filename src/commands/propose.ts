import type { App } from "../app.ts";
import { needsSignature } from "../client/needs-signature.ts";
import { commonTargetFlags, passedCommonFlags } from "../command-support/common-flags.ts";
import { writeLines } from "../command-support/prepared-write.ts";
import { parseDuration } from "../config/duration.ts";
import { parsedSourcedFlag } from "../config/sourced.ts";
import { RelayctlError, usageError } from "../errors.ts";
import { makeProposal, makeRulesProposal } from "../proposals/make-proposal.ts";
import { LONGEST_VALIDITY, type Proposal, proposalId, proposalText, storeProposal } from "../proposals/proposal.ts";
import { commandLine } from "../shell/shell-words.ts";
import { proposalItem, proposalView } from "../views/proposal.ts";
import { approvalCard } from "./approve.ts";
import { type Call, createCommand } from "./command.ts";

const [LASTS, SHORTEST] = ["10m", 60_000] as const;
const BOUNDS = `from ${SHORTEST / 60_000}m to ${LONGEST_VALIDITY / 3_600_000}h`;

export const propose = createCommand({
  summary: "Propose a write, which somebody then approves",
  sends: "read",
  refuses: { dryRun: "a proposal sends nothing", curl: "a proposal sends nothing" },
  ends: { ok: "stored", declined: false },
  examples: [
    "relayctl propose -- relayers update eth-main-1 --policy gas_price_cap=80gwei",
    "relayctl propose --out cap.json -- relayers update eth-main-1 --policy gas_price_cap=80gwei",
    "relayctl propose --valid-for 1h -- relayers resume bsc-hot",
  ],
  args: [{ name: "<command...>", description: "The words after relayctl, after --" }],
  readsFirst: true,
  resource: proposalView,
  description:
    "Store the exact request that a command would send, and print its ID. Sends nothing. Somebody reads the request and sends it with `relayctl approve ID` on a terminal, once, before it expires. The command has to send exactly one request, without a secret.",
  define: (command) =>
    command
      .optionsGroup("Proposal")
      .option("--out <file>", "Also write the proposal to a new file, which can be approved elsewhere")
      .option("--valid-for <duration>", `Expire after this time, ${BOUNDS} (default: ${LASTS})`),
  async prepare({ flags, args, app }, problems) {
    const { validFor = LASTS, out } = flags;
    if (["propose", "approve", "mcp"].includes(args[0] ?? "")) problems.add("<command>", "cannot be proposed", args[0]);
    if (ownWords(args).some((word) => /^--once(?:=|$)/.test(word)))
      problems.add("--once", "cannot be proposed: each proposal is sent at most once, by its ID");
    const shown = ownWords(args).find((word) => ["--dry-run", "-n", "--curl"].includes(word));
    if (shown !== undefined)
      problems.add(shown, "cannot be proposed: only a command that sends a write can be proposed");
    if (out !== undefined) await problems.gather(() => app.files.expectFolder(out));
    const lasts = parsedSourcedFlag("--valid-for", validFor, parseDuration, problems.found) ?? SHORTEST;
    if (lasts < SHORTEST || lasts > LONGEST_VALIDITY) problems.add("--valid-for", `must be ${BOUNDS}`, validFor);
    return lasts;
  },
  async run(call, lasts) {
    const { app, flags, common, output } = call;
    const { proposal, isSigned } = await captureRequest(call, lasts);
    const stored = { proposal, signatures: [] };
    if (flags.out !== undefined) await app.files.create(flags.out, proposalText(app, stored));
    await storeProposal(app, stored);
    const id = proposalId(proposal);
    const now = app.clock.now();
    await writeLines(call, await approvalCard(proposal, now));
    const approve = (...words: string[]) => commandLine(...commonTargetFlags(common), "approve", ...words);
    const file = flags.out ?? app.proposalFile(`${id}.json`).path;
    if (isSigned) await call.say(`to sign it, somebody else: ${approve(file, "--sign")}`);
    await call.say(`to send it${isSigned ? " then, here" : ""}: ${approve(flags.out ?? id)}`);
    if (output.format === undefined && output.query === undefined) return { kind: "text", text: `${id}\n` };
    const value = proposalItem(proposal, { signatures: 0, used: undefined, now });
    return { kind: "one", resource: proposalView, value, body: new Uint8Array() };
  },
});

interface Captured {
  proposal: Proposal;
  isSigned: boolean;
}

const SEVERAL = "sends several requests, or to several contexts; propose them one by one";

/** Returns the proposal for a line, which runs as a dry run. */
async function captureRequest({ app, args, common, perform }: Call, lasts: number): Promise<Captured> {
  let made: Promise<Captured> | undefined;
  const asked = { argv: withFlags(args, commonTargetFlags(common)), lasts };
  const capture: App["capture"] = async (requests, from) => {
    if (made) throw usageError([{ where: "<command>", rule: SEVERAL }]);
    const isSigned = from.approvers !== undefined && requests.every(needsSignature);
    made = makeProposal(app, requests, from, asked).then((proposal) => ({ proposal, isSigned }));
    await made.catch((error: unknown) => {
      made = undefined;
      throw error;
    });
  };
  const captureRules: App["captureRules"] = async (change) => {
    made = Promise.resolve({ proposal: makeRulesProposal(app, change, asked), isSigned: true });
  };
  let failed: RelayctlError | undefined;
  const stdout = Object.create(app.stdout, { write: { value: async () => {} } });
  const world: App = Object.create(app, {
    ...{ capture: { value: capture }, captureRules: { value: captureRules } },
    failed: { value: (error: RelayctlError) => (failed = error) },
    // Only the outer command annotates a job, and it escapes what this one prints.
    env: { value: { ...app.env, GITHUB_ACTIONS: undefined } },
    stdout: { value: stdout },
  });
  const changesContext = args[0] === "context" && args[1] === "set";
  const flags = changesContext ? commonTargetFlags(common) : [...passedCommonFlags(common), "--dry-run"];
  const code = await perform(withFlags(args, flags), world);
  if (code !== 0) throw notProposed(failed);
  if (made) return made;
  throw usageError([{ where: "<command>", rule: "sends no single write that a dry run shows" }]);
}

/** The line printed its own error, which annotations and JSON repeat. */
function notProposed({ failure, message, because, details, hint }: Partial<RelayctlError> = {}): RelayctlError {
  const why = [message, ...(because ?? [])].filter((line) => line !== undefined);
  const said = { because: why, details: details ?? [], hint, isSaid: true } as const;
  return new RelayctlError(failure ?? "usage", "nothing was proposed", said);
}

function withFlags(words: readonly string[], flags: readonly string[]): string[] {
  const before = ownWords(words);
  return [...before, ...flags, ...words.slice(before.length)];
}

function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}
