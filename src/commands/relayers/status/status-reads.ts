import { SPEND_FIELDS, type SpendWindow } from "../../../audit/spend-windows.ts";
import type { Problems } from "../../../contract/problems.ts";
import { PACE_WINDOW, SLOWER_WATCH, STATUS_TIMEOUT } from "../../../timing.ts";
import { MOST_SHOWN } from "../../../views/relayer-status/table.ts";
import type { Call, CommandSyntax, ParsedFlags } from "../../command.ts";
import { defineChoosingFlags } from "../../list-flags.ts";
import { ON_CHANGE_OPTION, WATCH_OPTION } from "../../watch/flag.ts";

/** The most relayers whose status is read, unless they or a status field are specified. */
export const MOST_READ = 100;

export type StatusFlags = ParsedFlags<typeof defineStatusFlags>;

export function defineStatusFlags(command: CommandSyntax) {
  return command
    .description(
      `Show the relayers, worst first: disabled relayers with the reason and what the service does on its own, paused relayers with the command that resumes them, then all others; with balance, pending transactions, and nonce. The state comes from the list. The rest takes a call to each relayer's node: it is requested once, within ${STATUS_TIMEOUT / 1_000}s in total or --deadline, and for more than ${MOST_READ} relayers only if you specify their IDs or a status field. A terminal also shows the age of the oldest pending transaction (field oldest). How long the balance lasts at the pace of the last ${PACE_WINDOW / 3_600_000} hours is the field runway, which is read only if --fields, --where, --sort, or a threshold selects it. The same is true of spend_1h and spend_1d, the value and fees that an EVM account spent in the last hour and day, in its smallest unit, by the chain, no matter who sent. Values that cannot be read are reported, and are null in JSON. --watch reads them at most every ${SLOWER_WATCH / 1_000}s, and into a pipe only if they are specified.`,
    )
    .optionsGroup("Status")
    .option(
      "--all",
      `Give every relayer a row; beyond ${MOST_SHOWN}, a terminal only counts active ones without a problem`,
    )
    .option("--brief", "Show only the state, from the list; status is null")
    .option(
      "--check",
      "Exit 13 if any relayer shown is disabled or paused, or there is none; implies --brief without thresholds",
    )
    .include(defineThresholds)
    .option("--erc20", "Also read the balances of the context's ERC-20 tokens (fields erc20.NAME)")
    .option("--spend", "With -o prom or --listen, also read what EVM accounts spent in the last hour and day")
    .option(
      "--listen <address>",
      "Serve metrics for Prometheus until Ctrl-C, e.g. on 127.0.0.1:9464 (-o prom prints them once); an address that other machines can reach needs the next three",
    )
    .option("--listen-token-file <file>", "File with the bearer token that a scrape has to present (`-` for stdin)")
    .option("--listen-cert <file>", "File with the certificate to serve HTTPS with, and its chain (PEM)")
    .option("--listen-key <file>", "File with the private key of that certificate (PEM)")
    .option(...WATCH_OPTION)
    .option(...ON_CHANGE_OPTION)
    .include(defineChoosingFlags, "health.state!=active, relayer.network=base, status.pending_transactions_count>0");
}

function defineThresholds(command: CommandSyntax) {
  return command
    .option(
      "--warn <threshold>",
      "With --check, also exit 13 if a threshold is crossed, e.g. 'runway<3d', 'pending>50', 'oldest>1h', 'nonce_drift>5' (repeatable)",
      "values",
    )
    .option("--crit <threshold>", "The same for a critical threshold, e.g. 'balance<0.05eth' (repeatable)", "values");
}

/** The relayers whose status is read: none, the displayed ones unless there are many, or all. */
export type StatusReads = "none" | "some" | "all";

export function statusReadsOf({ flags, output }: Call<StatusFlags>, ids: readonly string[] | undefined): StatusReads {
  if (listAlone(flags) !== undefined) return "none";
  if (statusReadsValues(output) || output.query?.includes("status")) return "all";
  const showsNone = output.fields !== undefined || ["name", "raw"].includes(output.format ?? "");
  if (showsNone) return "none";
  if (flags.erc20) return "all";
  return ids === undefined ? "some" : "all";
}

/** Adds problems for status fields if only the list is read, or selects the measured relayers. */
export function validateStatusReads({ flags, output }: Call<StatusFlags>, problems: Problems): void {
  const measuring = measuringFlag(flags, output);
  for (const given of measuring === undefined ? [] : (output.where ?? []).filter(readsStatus))
    problems.add("--where", `cannot select by a field of status with ${measuring}, which selects by the list`, given);
  const alone = listAlone(flags);
  if (alone === undefined) return;
  if (flags.erc20) problems.add("--erc20", `cannot be combined with ${alone}, which reads only the list`);
  for (const [flag, given] of statusFlags(output)) {
    problems.add(flag, `cannot select a field of status together with ${alone}, which reads only the list`, given);
  }
}

function listAlone({ brief, check, warn, crit }: StatusFlags): string | undefined {
  if (brief) return "--brief";
  return check && !warn && !crit ? "--check" : undefined;
}

function measuringFlag({ listen, warn, crit }: StatusFlags, { format }: Call["output"]): string | undefined {
  if (format === "prom") return "-o prom";
  if (listen !== undefined) return "--listen";
  if (warn) return "--warn";
  return crit && "--crit";
}

function statusFlags({ where = [], sort, fields }: Call["output"]): [flag: string, given: string][] {
  const named = { "--where": where, "--sort": [sort ?? ""], "--fields": fields?.split(",") ?? [] };
  return Object.entries(named).flatMap(([flag, texts]) =>
    texts.filter(readsStatus).map((text): [string, string] => [flag, text]),
  );
}

export function readsStatus(text: string): boolean {
  return /^\s*[!-]?\s*(?:status(?![\w-])|(?:oldest|runway|spend_1[hd])(?![\w.-])|erc20(?![\w-]))/.test(text);
}

export function statusReadsValues(output: Call["output"]): boolean {
  return statusFlags(output).length > 0;
}

export function statusReadsRunway(output: Call["output"]): boolean {
  return statusFlags(output).some(([, text]) => text.includes("runway"));
}

export function statusReadsSpends(output: Call["output"]): readonly SpendWindow[] {
  return SPEND_FIELDS.filter((field) => statusFlags(output).some(([, text]) => text.includes(field)));
}

export function statusReadsOldest(output: Call["output"]): boolean {
  return statusFlags(output).some(([, text]) => text.includes("oldest"));
}
