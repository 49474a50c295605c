import type { Operation } from "../../../src/contract/operation.ts";
import { type OperationId, operations } from "../../../src/contract/operations.ts";
import { commandCell } from "./commands.ts";
import { evidenceOf } from "./evidence.ts";
import { SERVICE } from "./service.ts";

export interface CoverageRow {
  /** `GET /relayers/{}` */
  request: string;
  since: string;
  /** Empty if no command sends it. */
  command: string;
  demo: string;
  evidence: string;
}

/** Returns the service's operations in the order of facts 3.0, with the coverage of each. */
export async function coverageRows(): Promise<CoverageRow[]> {
  return await Promise.all(
    SERVICE.map(async ([request, since]) => {
      const id = operationOf(request);
      const row = { request, since, command: await commandOf(request, id) };
      if (!id) return { ...row, demo: "not supported", evidence: "–" };
      return { ...row, demo: "yes", evidence: evidenceOf(id, row.command).join(", ") };
    }),
  );
}

async function commandOf(request: string, id: OperationId | undefined): Promise<string> {
  if (request.includes("/api-keys")) return API_KEYS;
  return id ? await commandCell(id) : "";
}

const API_KEYS =
  "none: the service's authentication never uses these keys, and creating one fails with 500 (facts 3.10)";

/** Returns the operation of the contract with this method and path, whatever the names of its parameters. */
export function operationOf(request: string): OperationId | undefined {
  return (Object.keys(operations) as OperationId[]).find((id) => {
    const { method, path }: Operation = operations[id];
    return withoutNames(`${method} ${path}`) === withoutNames(request);
  });
}

function withoutNames(request: string): string {
  return request.replace(/\{\w+/g, "{");
}
