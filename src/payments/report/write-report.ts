import { extname } from "node:path";
import type { App } from "../../app.ts";
import { writeJson } from "../../contract/json.ts";
import { rescue, usageError } from "../../errors.ts";
import { csvRow } from "../../terminal/formats/delimited.ts";
import type { RowOutcome } from "../outcome.ts";
import { paymentReport, paymentReportRows, REPORT_COLUMNS, type ReportedRun } from "./report.ts";

const MAX_REPORT_BYTES = 256 * 2 ** 20;
const HEADER = csvRow(REPORT_COLUMNS);
/** The columns of earlier versions. */
const CSV_START = csvRow(REPORT_COLUMNS.slice(0, 11)).trimEnd();
const JSON_START = '{"run":';

export async function reportProblem(app: App, path: string): Promise<string | undefined> {
  if (![".csv", ".json"].includes(extname(path))) return "must end in .csv or .json, which sets the format";
  const before = await app.files.load(path, MAX_REPORT_BYTES);
  await app.files.expectFolder(path);
  return before === undefined || isReport(before) ? undefined : "is not a report and would be overwritten";
}

/** Only an earlier report is replaced. */
function isReport(text: string): boolean {
  return text === "" || text.startsWith(CSV_START) || text.startsWith(JSON_START);
}

/** Writes every row's outcome to a private file: CSV, or JSON with sums by state. @throws RelayctlError io */
export async function writeReport(
  app: App,
  path: string,
  run: ReportedRun,
  outcomeOf: (row: number) => RowOutcome,
): Promise<void> {
  const { masked, redact } = app.secrets;
  const pieces = {
    *[Symbol.iterator]() {
      for (const piece of reportPieces(path, run, (row) => masked(outcomeOf(row)))) yield redact(piece);
    },
  };
  const written = app.textFile(path, MAX_REPORT_BYTES).change((before) => {
    if (before === undefined || isReport(before)) return pieces;
    throw usageError([{ where: path, rule: "is not a report and would be overwritten" }]);
  });
  await rescue(written, (error) => {
    throw error.with({ failure: "io" });
  });
}

/** Yields the report in pieces of many rows, in its path's format. In CSV, no cell is a formula. */
export function* reportPieces(
  path: string,
  run: ReportedRun,
  outcomeOf: (row: number) => RowOutcome,
): Generator<string, void, undefined> {
  const isCsv = extname(path) === ".csv";
  yield isCsv ? HEADER : `${writeJson(paymentReport(run, outcomeOf)).slice(0, -1)},"payments":[`;
  let separator = "";
  for (const rows of paymentReportRows(run.file.payments, outcomeOf)) {
    yield isCsv
      ? rows.map((row) => csvRow(REPORT_COLUMNS.map((column) => String(row[column] ?? "")))).join("")
      : separator + rows.map(writeJson).join(",");
    separator = ",";
  }
  if (!isCsv) yield "]}\n";
}
