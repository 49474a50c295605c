import { isSameVersion, type Version, versionOf } from "../../chain/verdict/version.ts";
import { counted, grouped } from "../../contract/decimal.ts";
import { isJsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { appliedOf, writesNewestFirst } from "../../journal/writes.ts";
import { contentOf, contentsOfFirst } from "../file/content.ts";
import type { PaymentFile } from "../payment.ts";
import { type RecordedRun, runsWith } from "./ledger.ts";
import type { PaymentWorld } from "./payment-world.ts";

type Knowing = Pick<PaymentWorld, "journal" | "historyCommand" | "spelling">;

/**
 * Refuses a file with other bytes than any before, if it pays what a run paid: all of it, all of it and more, or the
 * beginning of it.
 * @throws RelayctlError conflict
 */
export async function refuseKnownRows(world: Knowing, file: PaymentFile): Promise<void> {
  const { journal } = world;
  const content = contentOf(file.payments);
  const alike = (await runsWith(journal, content)).filter(({ payments }) => payments.content === content).at(-1);
  if (alike) throw alikeError(file, alike, world);
  const first = contentsOfFirst(file.payments, new Set([1])).get(1) ?? "";
  const runs = (await runsWith(journal, first)).filter(({ payments }) => payments.first === first).reverse();
  const contents = contentsOfFirst(file.payments, new Set(runs.map(({ payments }) => payments.rows)));
  const begun = runs.find(({ payments }) => payments.content === contents.get(payments.rows));
  if (begun) throw longerError(file, begun, world);
  for (const run of runs.filter(({ payments }) => payments.rows > file.payments.length))
    if (await beginsWith(journal, run, file)) throw shorterError(file, run, world);
}

/** Returns whether the first rows of a run are those of a file, as far as they were sent. One that was must be among them. */
async function beginsWith(journal: Journal, { run }: RecordedRun, { payments }: PaymentFile): Promise<boolean> {
  const sent = new Map<number, Version | undefined>();
  for await (const write of writesNewestFirst(journal, undefined, { mayRound: true, run })) {
    const { payment, body } = write.intent;
    if (!payment || payment.row > payments.length || appliedOf(write) === "no") continue;
    sent.set(payment.row, isJsonObject(body) ? versionOf(body) : undefined);
  }
  for (const { row, to, value, data = null } of payments) {
    const before = sent.get(row);
    const now = versionOf({ to, value: String(value), data });
    if (before && now && !isSameVersion(before, now)) return false;
  }
  return [...sent.values()].some((version) => version !== undefined);
}

/** The same service can have several addresses, and several relayers can pay for one purpose. */
export function elsewhereError(
  { name }: PaymentFile,
  { run, time, payerId }: RecordedRun,
  { historyCommand, spelling: { again } }: Knowing,
): RelayctlError {
  const { relayerId, server } = payerId;
  return new RelayctlError(
    "conflict",
    `${name} was begun before, from ${relayerId} at ${server}: run ${run} at ${time}`,
    {
      because: [
        `nothing was sent: to continue that run, use its relayer and server; ${again} pays the whole file here as well`,
      ],
      hint: historyCommand("show", run),
      retryable: false,
    },
  );
}

/** A spreadsheet that saves a file again changes its bytes, but not what it pays. */
function alikeError(
  { name }: PaymentFile,
  { run, time, payments, payerId }: RecordedRun,
  { historyCommand, spelling: { again } }: Knowing,
): RelayctlError {
  const then =
    payments.file === ""
      ? "they were in no file then, and have"
      : `the file was ${payments.file} then, and has other bytes now, but`;
  const where = `from ${payerId.relayerId} at ${payerId.server}`;
  return new RelayctlError("conflict", `the payments of ${name} were begun before, ${where}: run ${run} at ${time}`, {
    because: [
      `${then} the same receivers, amounts, and data`,
      `nothing was sent: ${again} pays all of them as a new run`,
    ],
    hint: historyCommand("show", run),
    retryable: false,
  });
}

/** Rows were added to a file that was begun before. */
function longerError(file: PaymentFile, recorded: RecordedRun, world: Knowing): RelayctlError {
  const { rows } = recorded.payments;
  const all = file.payments.length;
  const added = all - rows === 1 ? "the other row" : `the other ${counted(all - rows, "row")}`;
  return partError(`${file.name} begins with the ${counted(rows, "row")} of`, recorded, world, [
    `nothing was sent: put ${added} into a separate file, or use ${world.spelling.again} to pay all ${grouped(all)} as a new run`,
  ]);
}

/** Rows were removed from the end of a file that was begun before. */
function shorterError(file: PaymentFile, recorded: RecordedRun, world: Knowing): RelayctlError {
  const part = `the first ${grouped(file.payments.length)} of the ${counted(recorded.payments.rows, "row")}`;
  return partError(`${file.name} has ${part} of`, recorded, world, [
    `nothing was sent: ${world.spelling.again} pays them as a new run`,
  ]);
}

function partError(
  what: string,
  { run, time, payerId }: RecordedRun,
  { historyCommand }: Knowing,
  because: string[],
): RelayctlError {
  const { relayerId, server } = payerId;
  return new RelayctlError("conflict", `${what} run ${run} at ${time}, from ${relayerId} at ${server}`, {
    because,
    hint: historyCommand("show", run),
    retryable: false,
  });
}
