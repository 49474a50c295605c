import { webhookSignature } from "../../../../src/contract/webhook/signature.ts";
import { stateToText } from "../../../../src/embedded-server/state/state-text.ts";
import { seedState } from "../../../helpers/seed-state.ts";
import { configOf } from "../real-files.ts";
import type { Row } from "../row.ts";

const KEY = "k".repeat(32);
const FILES = { "config.json": configOf(), "signing.key": KEY };
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: FILES, ...more });

export const REPORT_ROWS: readonly Row[] = [
  row("doctor --junit FOLDER/junit.xml", { ends: 13, after: reportAgain(13) }),
  row("doctor --local --junit FOLDER/junit.xml", { after: reportAgain(0) }),
  row("webhooks listen --signing-key-file FOLDER/signing.key --record FOLDER/deliveries.ndjson", {
    extends: { "deliveries.ndjson": "further deliveries are not recorded" },
    world: () => ({
      receive: async ({ listening, respond, port }) => {
        await listening(port);
        for (const id of ["1", "2", "3"]) {
          const body = new TextEncoder().encode(`{"id":"${id}","payload":{"status":"confirmed"}}`);
          const signature = webhookSignature(KEY, new TextDecoder().decode(body));
          await respond({ method: "POST", target: "/", headers: { "x-signature": signature }, body });
        }
      },
    }),
  }),
  // Without a file, a read writes one before the change does.
  row("serve --state FOLDER/state.json", {
    files: { "config.json": configOf(), "state.json": stateToText(seedState("demo")) },
    replaces: ["state.json"],
  }),
  row("serve --reset-demo", { replaces: ["demo.json"] }),
  row("demo reset", { replaces: ["demo.json"] }),
  row("relayers update base-hot --name treasury --demo", {
    ...{ before: ["demo reset"], replaces: ["demo.json"], journal: "demo-journal" },
  }),
  row("relayers get eth-main-1"),
  row("__ids relayer 0123456789abcdef"),
];

/** The command failed to write a partial report; the report is written to another file. */
function reportAgain(ends: number): NonNullable<Row["after"]> {
  return async (life, { exitCode, line, stderr }) => {
    const text = life.read("junit.xml") ?? "";
    const isWhole = text.startsWith("<?xml ") && text.endsWith("</testsuites>\n");
    const isSaid = exitCode !== ends && (text === "" || stderr.includes("junit.xml"));
    const next = await life.run(line.replace("junit.xml", "other.xml"));
    return [
      ...(isWhole || isSaid ? [] : [`exit ${exitCode}, and the report is ${text}: ${stderr}`]),
      ...(next.exitCode === ends ? [] : [`again: exit ${next.exitCode}: ${next.stderr}`]),
    ];
  };
}
