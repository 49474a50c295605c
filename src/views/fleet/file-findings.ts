import type { JsonValue } from "../../contract/json.ts";
import type { FileFinding } from "../../fleet/config/file-report.ts";
import { type ResourceView, toColumn, viewPlainFields } from "../../terminal/view.ts";

const FIELDS = ["file", "line", "path", "severity", "code", "message", "fix"] as const;
const LONG: readonly string[] = ["message", "fix"];

type FindingRow = Record<(typeof FIELDS)[number], JsonValue>;

export const fileFindingView: ResourceView<FindingRow> = {
  one: "finding",
  many: "findings",
  id: "path",
  table: FIELDS.map((field) => ({
    ...toColumn(field, field),
    whole: true,
    ...(LONG.includes(field) ? { isBelow: true } : { worth: ["severity", "code"].includes(field) ? 1 : "always" }),
  })),
  ...viewPlainFields(FIELDS),
  isOfFiles: true,
};

export function fileFindingRow({ file, line, path, severity, code, message, fix }: FileFinding): FindingRow {
  return { file, line: line ?? null, path, severity, code, message, fix };
}
