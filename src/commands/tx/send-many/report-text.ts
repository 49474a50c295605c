import { isJsonObject, type JsonObject, prettyJson } from "../../../contract/json.ts";
import { REPORT_COLUMNS } from "../../../payments/report/report.ts";
import { csvRow } from "../../../terminal/formats/delimited.ts";

/**
 * Returns the text of a report file: JSON, or, if its name ends in `.csv`, the payments alone as CSV, in which no cell is
 * a formula of a spreadsheet.
 * @param report what `reportOf` returns
 */
export function reportText(path: string, report: JsonObject): string {
  if (!/\.csv$/i.test(path)) return `${prettyJson(report)}\n`;
  const rows = Array.isArray(report.payments) ? report.payments.filter(isJsonObject) : [];
  const cells = rows.map((row) => REPORT_COLUMNS.map((column) => String(row[column] ?? "")));
  return [REPORT_COLUMNS, ...cells].map(csvRow).join("");
}
