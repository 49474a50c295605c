import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import type { App } from "../../app.ts";
import { waitClientPlan } from "../../chain/follow/wait-client.ts";
import { networkHasTestCoins } from "../../chain/network.ts";
import type { ChainNode } from "../../chain/node/node.ts";
import { MAX_CONCURRENCY, MAX_RATE, USUAL_CONCURRENCY } from "../../client/bulk/bounds.ts";
import { createClient } from "../../client/client.ts";
import type { ClientContext } from "../../client/client-context.ts";
import { refuseWithoutSignature } from "../../client/needs-signature.ts";
import { readOnlyRefusal } from "../../client/read-only.ts";
import { apiRequest } from "../../client/request.ts";
import { readNetwork } from "../../coins/coin-symbol.ts";
import type { Files } from "../../config/files/files.ts";
import { NO_LABELS } from "../../config/labels.ts";
import { formatAmount, knownSymbol } from "../../contract/amount.ts";
import { type JsonValue, writeJson } from "../../contract/json.ts";
import { Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type Problem, rescue, unsentError, usageError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { readBalanceForFee } from "../../limits/fee.ts";
import { type Message, messageText } from "../../message.ts";
import { didYouMean } from "../../nearest.ts";
import { recalledOutcome } from "../../recovery/recall.ts";
import { redactingJournal } from "../../session/journaling/redacting-journal.ts";
import { JournaledWrites } from "../../session/journaling/write-log.ts";
import { commandLine, historyCommand } from "../../shell/shell-words.ts";
import { COIN_TIMEOUT } from "../../timing.ts";
import { paymentRunFailure } from "../failure.ts";
import { payerWarnings } from "../file/file-problems.ts";
import { LARGEST_FILE, type ReadingRules, readPayments } from "../file/read-payments.ts";
import { paymentSums, type RowOutcome } from "../outcome.ts";
import type { About, Payment, PaymentFile } from "../payment.ts";
import { createPayerReader } from "../read-payer.ts";
import { BEGIN } from "../run/ledger.ts";
import { awaitPayments } from "../run/outcomes.ts";
import { payRows, withPaymentsLease } from "../run/pay.ts";
import {
  AS_MEMBERS,
  type AskedPayments,
  type Pace,
  type PaymentWorld,
  type Running,
  type RunPlan,
  runStartProblems,
  type Start,
  USUAL_FAILURES,
} from "../run/running.ts";
import {
  COLUMNS,
  MEMBERS,
  type PaidRow,
  type PaymentSource,
  type PaymentToSend,
  type SendManyOptions,
  type SendManyResult,
} from "./options.ts";

export interface SendManyNeeds {
  clientContext: ClientContext;
  origin: string;
  nodeAt(url: string): ChainNode;
  env: App["env"];
  whoRuns: App["whoRuns"];
  files: Pick<Files, "read">;
  openJournal(folder: string): Promise<Journal>;
}

interface LibraryRun {
  relayerId: string;
  options: SendManyOptions;
  file: PaymentFile;
  path: string;
  journal: Journal;
  /** Starts no further payment once aborted. */
  interrupt: AbortSignal;
  noted: PaymentWorld["noted"];
}

function libraryWorld(needs: SendManyNeeds, run: LibraryRun): PaymentWorld {
  const { origin, nodeAt } = needs;
  const { relayerId, options, path, journal, interrupt, noted } = run;
  const clientContext = { ...needs.clientContext, interrupt };
  const { clock, random, abandon, report } = clientContext;
  const say = async (line: Message) =>
    report({ type: "note", text: typeof line === "object" && "note" in line ? line.note : messageText(line) });
  const writes = new JournaledWrites(
    {
      app: { clock, env: needs.env, whoRuns: needs.whoRuns },
      context: undefined,
      program: "client.tx.sendMany",
      argv: [relayerId, path || "payments"],
      server: origin,
      reason: options.reason,
      say,
    },
    "sendMany",
    async () => journal,
  );
  const briefly = (limit: number) => createClient({ ...clientContext, retries: 0, remaining: () => limit });
  // Each pending request listens to the signals.
  setMaxListeners(0, interrupt, abandon);
  return {
    ...{ clock, random, interrupt, journal, briefly, say, spelling: AS_MEMBERS },
    client: createClient(clientContext),
    balance: () => readBalanceForFee({ briefly, interrupt, say }, relayerId),
    count: () => {},
    commandFor: (...words) => commandLine("--server", origin, ...words),
    historyCommand: (...words) => historyCommand(options.state, [], ["history", ...words]),
    requireComplete: async (each) => {
      await rescue(each.requireComplete(), (error) => {
        const hint = historyCommand(options.state, [], ["history", "verify"]);
        throw error.with({ because: ["nothing was sent"], hint });
      });
    },
    inBulk: (bounds) => createClient({ ...clientContext, inBulk: true, log: writes.bulkLog, ...bounds }),
    ownNode: async () =>
      typeof options.wait === "object" && options.wait.node ? nodeAt(options.wait.node) : undefined,
    agree: async (asked) => {
      const { relayer } = asked.payer;
      const isTest = () => networkHasTestCoins(briefly(COIN_TIMEOUT).networks, relayer.network);
      for (const warning of await payerWarnings(asked.payments, relayer, isTest)) await say({ warning });
      requireSum(asked, options.confirm);
    },
    begin: (payments, resumed) =>
      writes.beginPayments({ operation: BEGIN, parameters: { relayer_id: relayerId } }, payments, resumed),
    recorded: writes.recorded,
    foundOutcome: recalledOutcome,
    ...(noted && { noted }),
  };
}

function requireSum({ file, sum, payer }: AskedPayments, confirm: bigint): void {
  if (confirm === sum || confirm === file.total) return;
  throw unsentError("declined", "confirm is not the sum of the payments", {
    because: [`the sum is ${sum} ${payer.coin.base}, which is ${formatAmount(sum, payer.coin)}`],
  });
}

/** The name of payments without a file in messages. */
const NAME = "the list";

async function readSource(
  source: PaymentSource,
  { speed, allowDuplicates = false }: SendManyOptions,
  { files, now }: { files: Pick<Files, "read">; now: number },
) {
  const rules: ReadingRules = {
    defaults: speed === undefined ? {} : { speed },
    now,
    addressOf: () => NO_LABELS,
    allowDuplicates,
    spelling: AS_MEMBERS,
  };
  if ("payments" in source) {
    const problems = source.payments.flatMap(memberProblems);
    if (problems.length > 0) throw usageError(problems);
    const bytes = Buffer.from(source.payments.map(paymentLine).join(""));
    return { file: await readPayments({ name: NAME, bytes, placeText: placeInList }, rules), path: "" };
  }
  const bytes = await files.read(source.file, LARGEST_FILE);
  return { file: await readPayments({ name: source.file, bytes }, rules), path: resolve(source.file) };
}

const PRICES: readonly string[] = ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"];
const AMOUNTS = ["value", "gasLimit", ...PRICES];

function memberProblems(payment: PaymentToSend, index: number): Problem[] {
  if (typeof payment !== "object" || payment === null)
    return [{ where: `payments[${index}]`, rule: "must be an object with to and value" }];
  return Object.entries(payment).flatMap(([member, value]) => {
    const where = `payments[${index}].${member}`;
    const expected = AMOUNTS.includes(member) ? "bigint" : "string";
    if (!MEMBERS.some((each) => each === member))
      return { where, rule: `unknown member${didYouMean([member], MEMBERS)}` };
    // A JavaScript number may be rounded already.
    return value === undefined || typeof value === expected ? [] : { where, rule: `must be a ${expected}` };
  });
}

/** Returns a payment as a line of NDJSON with its members in a fixed order, so that equal payments have one SHA-256. */
function paymentLine(payment: PaymentToSend): string {
  const given = MEMBERS.flatMap((member) => {
    const value = payment[member];
    const isPrice = PRICES.includes(member) && Number(value) < 1e9;
    return value === undefined ? [] : [[COLUMNS[member], isPrice ? `${value}wei` : value] as const];
  });
  return `${writeJson(Object.fromEntries(given))}\n`;
}

function placeInList(_: unknown, about?: About): string {
  if (about === undefined || about === "header") return NAME;
  const member = MEMBERS.find((each) => COLUMNS[each] === about.column);
  return `payments[${about.row - 1}]${member === undefined ? "" : `.${member}`}`;
}

const SWITCHES = ["resume", "again", "allowDuplicates"] as const;

/** Adds problems of options that the types can't prevent, e.g. in a JavaScript program. */
function validateRequired({ state, confirm, ...options }: SendManyOptions, problems: Problems): void {
  if (typeof state !== "string" || state === "") problems.add("state", "is required: the folder of the journal");
  if (typeof confirm !== "bigint") problems.add("confirm", "is required: the sum in wei, as a bigint");
  // The text "false" would count as true, and pay all rows again.
  for (const name of SWITCHES)
    if (typeof (options[name] ?? false) !== "boolean")
      problems.add(name, "must be true or false", String(options[name]));
}

function readPace({ maxInFlight, rate, stopAfter }: SendManyOptions, problems: Problems): Pace {
  const concurrency = wholeNumber(problems, "maxInFlight", maxInFlight, MAX_CONCURRENCY) ?? USUAL_CONCURRENCY;
  if (rate !== undefined && !(rate > 0 && rate <= MAX_RATE))
    problems.add("rate", `must be a number above 0, at most ${MAX_RATE}`, String(rate));
  return {
    concurrency,
    interval: rate === undefined ? 0 : 1000 / rate,
    stopAfter: wholeNumber(problems, "stopAfter", stopAfter) ?? USUAL_FAILURES,
  };
}

function readStart(options: SendManyOptions, problems: Problems): Start {
  const { resume = false, again = false, run, assumeNotSent = [] } = options;
  const assumed = assumeNotSent.flatMap((row) => wholeNumber(problems, "assumeNotSent", row) ?? []);
  const start = { resume, again, run, assumed: [...new Set(assumed)] };
  problems.found.push(...runStartProblems(start, AS_MEMBERS));
  return start;
}

function waitPlan({ wait = false }: SendManyOptions): RunPlan["wait"] {
  return wait === false ? undefined : waitClientPlan(wait === true ? {} : wait);
}

function wholeNumber(problems: Problems, option: string, value: number | undefined, most = Number.MAX_SAFE_INTEGER) {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "of 1 or more" : `from 1 to ${most}`;
  problems.add(option, `must be a whole number ${range}`, String(value));
  return undefined;
}

export async function sendMany(
  needs: SendManyNeeds,
  relayerId: string,
  source: PaymentSource,
  options: SendManyOptions,
): Promise<SendManyResult> {
  const { clientContext, origin, files } = needs;
  const { clock } = clientContext;
  if (clientContext.readOnly !== undefined) throw readOnlyRefusal("sendMany", clientContext.readOnly);
  refuseWithoutSignature(apiRequest("tx.send", { relayer_id: relayerId }), clientContext.approvers);
  const problems = new Problems();
  validateRequired(options, problems);
  const typed = {
    relayerId,
    pace: readPace(options, problems),
    start: readStart(options, problems),
    wait: waitPlan(options),
  };
  const read = await problems.gather(() => readSource(source, options, { files, now: clock.now() }));
  problems.throwIfAny();
  const { file, path } = read as NonNullable<typeof read>;
  const listener = createRowListener(file, options);
  const interrupt = anySignal(clientContext.interrupt, options.signal, listener.stopped);
  const { secrets } = clientContext;
  const opened = await needs.openJournal(options.state);
  const journal = redactingJournal(opened, (text) => secrets?.redact(text) ?? text);
  const result = await withPaymentsLease(journal, file, async (lease) => {
    const world = libraryWorld(needs, { relayerId, options, file, path, journal, interrupt, noted: listener.noted });
    const flags = ["--server", origin];
    const loadSymbol = ({ network }: Relayer) => symbolFor(world, network);
    const running: Running = {
      ...{ world, lease, payerId: { server: origin, relayerId }, plan: { ...typed, file, path } },
      payer: createPayerReader({ client: world.client, flags, symbolOf: loadSymbol }, { relayerId, file }),
      resumeLine: "the same call with resume: true",
    };
    const paid = await payRows(running);
    const ended = await awaitPayments(withDeadline(running, options), paid.rows);
    const failure = paymentRunFailure(running, paid, ended);
    const outcomeFor = (row: number) => ended.outcomes[row - 1] ?? { row, state: "waiting" as const };
    const rows = Array.from(file.payments, (payment) => paidRow(payment, outcomeFor(payment.row)));
    return { run: paid.run, rows, sums: paymentSums(file.payments, outcomeFor), ...(failure && { failure }) };
  });
  listener.rethrow();
  return result;
}

function anySignal(first: AbortSignal, ...others: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = others.filter((signal) => signal !== undefined);
  return given.length === 0 ? first : AbortSignal.any([first, ...given]);
}

async function symbolFor(
  world: Pick<PaymentWorld, "briefly" | "interrupt">,
  network: JsonValue | undefined,
): Promise<string | undefined> {
  if (typeof network !== "string") return undefined;
  return (await readNetwork(world, ["evm", network]))?.symbol || knownSymbol(network);
}

/** Starts the time limit of the wait. The payments themselves have none. */
function withDeadline(running: Running, { wait }: SendManyOptions): Running {
  const { deadline } = typeof wait === "object" ? wait : {};
  if (deadline === undefined) return running;
  const { world } = running;
  const end = world.clock.elapsed() + deadline;
  return { ...running, world: { ...world, remaining: () => end - world.clock.elapsed() } };
}

/** Calls `onRow`. An error of it must not end a run in the middle of a payment. */
export function createRowListener(
  { payments }: PaymentFile,
  { onRow }: SendManyOptions,
): { noted(outcome: RowOutcome): void; stopped: AbortSignal | undefined; rethrow(): void } {
  const known = onRow ? [...payments] : [];
  const stop = new AbortController();
  const thrown: unknown[] = [];
  let isOver = false;
  const fail = (error: unknown) => {
    // The run has ended and can't reject anymore: Node reports the error.
    if (isOver) throw error;
    thrown.push(error);
    stop.abort();
  };
  return {
    noted(outcome) {
      const payment = known[outcome.row - 1];
      try {
        if (!payment || thrown.length > 0) return;
        const called: unknown = onRow?.(paidRow(payment, outcome));
        if (called instanceof Promise) void called.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    stopped: onRow && stop.signal,
    rethrow() {
      isOver = true;
      if (thrown.length > 0) throw thrown[0];
    },
  };
}

export function paidRow({ label, to, value }: Payment, outcome: RowOutcome): PaidRow {
  return { ...outcome, ...(label !== undefined && { label }), to, value };
}
