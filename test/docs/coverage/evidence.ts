import { readdirSync, readFileSync } from "node:fs";
import { recognizeOperation } from "../../../src/contract/reply/recognize.ts";
import type { Method } from "../../../src/contract/wire.ts";
import { commands } from "../../faults/table/combinations.ts";
import { interfaceFixtures } from "../../helpers/service/interface-fixtures.ts";
import { type Recorded, recorded } from "../../helpers/service/recorded.ts";
import { writtenFiles, writtenIn } from "../../helpers/service/written.ts";

/** Returns what tests compare an operation with. @param command the table cell with the operation's command */
export function evidenceOf(id: string, command: string): string[] {
  return [
    ...(INTERFACE.includes(id) ? ["the interface"] : []),
    ...recordedEvidence(id),
    ...(WRITTEN.includes(id) ? ["exchanges by hand"] : []),
    ...(FAULTS.includes(id) ? ["the truth table"] : []),
    ...(isTyped(command) ? ["tests of its command"] : []),
  ];
}

/** A recorded refusal does not show the shape of a success. */
function recordedEvidence(id: string): string[] {
  const statuses = RECORDED.filter((exchange) => exchange.id === id).map(({ status }) => status);
  if (statuses.length === 0) return [];
  return statuses.some((status) => status < 300) ? ["v1.8 as recorded"] : ["a refusal of v1.8 as recorded"];
}

const INTERFACE = interfaceFixtures("replies").map(({ name }) => name);
const RECORDED = recorded.map((exchange) => ({ id: operationIn(exchange), status: exchange.response.status }));
const WRITTEN = writtenFiles.flatMap(writtenIn).map(operationIn);
const FAULTS = commands.map(({ request: { method, path } }) => operationAt(method, path));

function operationIn({ request: { method, path } }: Recorded): string | undefined {
  return operationAt(method, path.split("?")[0] ?? "");
}

function operationAt(method: string, path: string): string | undefined {
  return recognizeOperation(method as Method, path)?.operation.id;
}

const FOLDER = new URL("../../commands/", import.meta.url);
const TESTS = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(new URL(path, FOLDER), "utf8") }));

function isTyped(command: string): boolean {
  const [, noun, verb] = /^`(\S+) ([a-z-]+)/.exec(command) ?? [];
  if (noun === undefined) return false;
  return TESTS.some(({ path, text }) => path.startsWith(`${noun}/`) && new RegExp(`\\b${verb}\\b`).test(text));
}
